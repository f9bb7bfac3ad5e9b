import type { ComposeSpent } from '@harnesswright/plugin-meta-agent'
import type { MadeModel } from '../models/make-model.js'
import type { Composing } from './outcome.js'
import { addUsage } from './total.js'

/** What composing cost, and then mending. Nothing where no model was asked. */
export function addSpent(
  composing: Composing | undefined,
  spent: ComposeSpent,
  composer: Pick<MadeModel, 'model'> | undefined,
): Composing | undefined {
  if (composer === undefined || spent.modelCalls === 0) return composing
  const { id, simulated = false } = composer.model
  if (composing === undefined) return { ...spent, model: id, simulated }
  const calls: Record<string, number> = { ...composing.calls }
  for (const [purpose, count] of Object.entries(spent.calls)) calls[purpose] = (calls[purpose] ?? 0) + count
  return {
    ...composing,
    modelCalls: composing.modelCalls + spent.modelCalls,
    usage: addUsage(composing.usage, spent.usage),
    usd: composing.usd === null || spent.usd === null ? null : composing.usd + spent.usd,
    ms: composing.ms + spent.ms,
    calls,
  }
}
