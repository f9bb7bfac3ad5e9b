import type { Slot } from '@harnesswright/protocol'
import { actionCases } from './action.js'
import { capabilityCases } from './capability.js'
import type { ConformanceCase } from './case.js'
import { commonCases } from './common.js'
import { memoryCases } from './memory.js'
import { planningCases } from './planning.js'
import type { Subject } from './trial.js'

const OF_SLOT: Readonly<Record<Slot, (subject: Subject) => readonly ConformanceCase[]>> = {
  memory: memoryCases,
  planning: planningCases,
  capability: capabilityCases,
  action: actionCases,
  plugin: () => [],
}

/**
 * What every module must keep, as cases for any test runner: the rules for all modules, then those of its slot.
 *
 * @example
 * ```ts
 * for (const { name, run } of moduleConformance({ module: memory })) test(name, run)
 * ```
 */
export function moduleConformance(subject: Subject): readonly ConformanceCase[] {
  return [...commonCases(subject), ...OF_SLOT[subject.module.slot](subject)]
}
