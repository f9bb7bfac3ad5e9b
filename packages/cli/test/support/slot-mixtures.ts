import type { Catalog, CatalogPackage, JsonObject, Manifest, Problem, Slot, Use } from '@harnesswright/core'
import { isHarnessError } from '@harnesswright/core'
import * as capabilities from '@harnesswright/plugin-capabilities'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import * as agentfold from '@harnesswright/seed-agentfold'
import * as aggagent from '@harnesswright/seed-aggagent'
import * as deepagent from '@harnesswright/seed-deepagent'
import * as flashSearcher from '@harnesswright/seed-flash-searcher'
import * as gam from '@harnesswright/seed-gam'
import * as hiagent from '@harnesswright/seed-hiagent'
import * as memobrain from '@harnesswright/seed-memobrain'
import * as oagent from '@harnesswright/seed-oagent'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import * as recursive from '@harnesswright/seed-recursive'
import * as resum from '@harnesswright/seed-resum'
import * as roma from '@harnesswright/seed-roma'

/** Exports of the packages that have modules. A further package is one more line here. */
const PACKAGES: Readonly<Record<string, object>> = {
  'plugin-capabilities': capabilities,
  'seed-agentfold': agentfold,
  'seed-aggagent': aggagent,
  'seed-deepagent': deepagent,
  'seed-flash-searcher': flashSearcher,
  'seed-gam': gam,
  'seed-hiagent': hiagent,
  'seed-memobrain': memobrain,
  'seed-oagent': oagent,
  'seed-plan-and-execute': planAndExecute,
  'seed-react': react,
  'seed-recursive': recursive,
  'seed-resum': resum,
  'seed-roma': roma,
}

/** All of them, with others beside them where some are given. */
export function catalogWith(...others: readonly CatalogPackage[]): Catalog {
  const own = Object.entries(PACKAGES).map(([name, modules]) =>
    definePackage({ name: `@harnesswright/${name}`, version: '0.1.0', modules: { ...modules } }),
  )
  return createCatalog([...own, ...others])
}

export const catalog: Catalog = catalogWith()

export const SLOTS = ['memory', 'planning', 'capability', 'action'] as const satisfies readonly Slot[]

/** One module for each slot; `null`: none. */
export type Mixture = Readonly<Record<(typeof SLOTS)[number], string | null>>

/** Names of the modules of a slot. A slot may also stand empty, but for that of the action. */
export function modulesOf(slot: (typeof SLOTS)[number]): readonly (string | null)[] {
  const names = catalog.modules(slot).map(({ use }) => use)
  return slot === 'action' ? names : [null, ...names]
}

/** Every combination of the modules, or of those that are given for some slots. */
export function allMixtures(
  given: Partial<Record<keyof Mixture, readonly (string | null)[]>> = {},
): readonly Mixture[] {
  const { memory, planning, capability, action } = given
  const mixtures: Mixture[] = []
  for (const first of memory ?? modulesOf('memory'))
    for (const second of planning ?? modulesOf('planning'))
      for (const third of capability ?? modulesOf('capability'))
        for (const last of action ?? modulesOf('action'))
          mixtures.push({ memory: first, planning: second, capability: third, action: last })
  return mixtures
}

/** The mixture in a line. */
export function nameOf(mixture: Mixture): string {
  return SLOTS.map((slot) => `${slot} ${mixture[slot]?.replace('@harnesswright/', '') ?? 'null'}`).join(', ')
}

/** Options with which modules do on a small task what they are otherwise there for on a large one. */
const EAGER: Readonly<Record<string, JsonObject>> = {
  '@harnesswright/plugin-capabilities#gated': { top: 2 },
  '@harnesswright/plugin-capabilities#retrieval': { top: 2 },
  '@harnesswright/plugin-capabilities#sequenced': { order: ['list_files'], tries: 1 },
  '@harnesswright/seed-agentfold#memory': { budgetTokens: 1_000, pressure: 0.1 },
  '@harnesswright/seed-aggagent#action': { rollouts: 2 },
  '@harnesswright/seed-deepagent#action': { longChars: 500, readChars: 1_000 },
  '@harnesswright/seed-deepagent#capability': { openUpTo: 2 },
  '@harnesswright/seed-flash-searcher#planning': { reviewEvery: 2, reviewOnFailures: 1 },
  '@harnesswright/seed-hiagent#memory': { budgetTokens: 1_000, leastTokens: 0 },
  '@harnesswright/seed-memobrain#memory': { budgetTokens: 1_000, memoriseEvery: 1, keepSteps: 1 },
  '@harnesswright/seed-gam#memory': { budgetTokens: 1_000, keepSteps: 1, researchEvery: 1 },
  '@harnesswright/seed-oagent#action': { experts: 2 },
  '@harnesswright/seed-plan-and-execute#planning': { reviewEvery: 2 },
  '@harnesswright/seed-react#window': { budgetTokens: 1_000 },
  '@harnesswright/seed-recursive#action': { leastSteps: 1 },
  '@harnesswright/seed-resum#memory': { budgetTokens: 1_000, trigger: 0.5, keepSteps: 1 },
  '@harnesswright/seed-roma#action': { maxSubtasks: 2, leastSteps: 1 },
}

/** The manifest of a mixture, with the defaults of its modules or with options that make them eager. */
export function manifestOf(mixture: Mixture, isEager: boolean = false): Manifest {
  const useOf = (use: string): Use => {
    const options = isEager ? EAGER[use] : undefined
    return options === undefined ? { use } : { use, with: options }
  }
  const uses = SLOTS.map((slot) => [slot, mixture[slot]] as const)
  const named = uses.flatMap(([, use]) => (use === null ? [] : [use.split('#', 1)[0] as string]))
  return {
    protocol: 1,
    name: 'mixture',
    packages: Object.fromEntries([...new Set(named)].sort().map((name) => [name, '*'])),
    ...Object.fromEntries(uses.map(([slot, use]) => [slot, use === null ? null : useOf(use)])),
  } as Manifest
}

/** The model that the mixtures have to fit, and that they run on. */
export const model = createSimModel({ profile: 'sim-mid' })

/** What the catalog says against a mixture: nothing, if it fits. */
export async function misfitsOf(mixture: Mixture, from: Catalog = catalog): Promise<readonly Problem[]> {
  const { manifest, problems } = await from.read(JSON.stringify(manifestOf(mixture)))
  if (manifest === undefined) return problems
  try {
    await from.resolve(manifest, { hostOptions: {}, model })
    return []
  } catch (error) {
    if (isHarnessError(error)) return error.details['problems'] as readonly Problem[]
    throw error
  }
}
