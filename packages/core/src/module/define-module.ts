import { HarnessError, type Slot } from '@harnesswright/protocol'
import type { Module, ModuleSpec } from './module.js'

const BRAND = Symbol.for('harnesswright.module/1')

/** The verb that a module of the slot must have. A plugin may have any. */
const VERB_OF_SLOT: Readonly<Record<Slot, keyof Module | undefined>> = {
  memory: 'view',
  planning: 'direct',
  capability: 'select',
  action: 'act',
  plugin: undefined,
}

/**
 * Declares a module of one slot. Options, state, prompt names and the `{{variables}}` of each prompt are inferred.
 *
 * @throws HarnessError `E_PROTOCOL_MODULE` when the verb of the slot or the summary is missing.
 * @example
 * ```ts
 * export const memory: Module = defineModule({
 *   slot: 'memory',
 *   summary: 'Shows the last steps only.',
 *   options: z.object({ steps: z.int().positive().default(8).describe('Steps shown.') }),
 *   view: (ctx) => ({ messages: lastSteps(ctx.view.messages, ctx.options.steps) }),
 * })
 * ```
 */
export function defineModule<
  Options = Record<string, never>,
  State extends object = Record<string, never>,
  const Prompts extends Readonly<Record<string, string>> = Record<never, never>,
>(spec: ModuleSpec<Options, State, Prompts>): Module {
  const message = faultOf(spec)
  if (message !== undefined) throw new HarnessError('E_PROTOCOL_MODULE', { message, slot: spec.slot })
  return Object.freeze(Object.defineProperty({ ...spec }, BRAND, { value: true })) as Module
}

function faultOf(spec: Module): string | undefined {
  const { slot, summary } = spec
  if (!Object.hasOwn(VERB_OF_SLOT, slot)) return `There is no slot "${slot}".`
  const verb = VERB_OF_SLOT[slot]
  if (verb !== undefined && typeof spec[verb] !== 'function') return `A ${slot} module needs the verb "${verb}".`
  const isSaid = typeof summary === 'string' && summary.trim() !== ''
  return isSaid ? undefined : `A ${slot} module needs a summary.`
}

/** True for what `defineModule` of any copy of core made. */
export function isModule(value: unknown): value is Module {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true
}
