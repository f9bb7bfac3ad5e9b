import type { Charged, ModelCall, Spent, Usage } from '../types/index.js'
import { addUsage } from '../usage.js'

/** Charged to a run that has called no model. */
export const NOTHING: Charged = Object.freeze({ tokens: 0, usd: 0, modelCalls: 0, knownUsd: 0, partial: false })

/** What one call is charged: what is unknown, as it was reserved. */
export function chargeOf({ usage, usd }: Pick<ModelCall, 'usage' | 'usd'>, reserved?: Partial<Charged>): Charged {
  const { inputTokens, outputTokens } = usage
  const tokens = reserved?.tokens ?? (inputTokens ?? 0) + (outputTokens ?? 0)
  const partial = inputTokens === null || outputTokens === null
  return { tokens, usd: reserved?.usd ?? usd ?? 0, modelCalls: 1, usage, knownUsd: usd, partial }
}

/** The sum of two. */
export function addCharged(a: Charged, b: Charged): Charged {
  const usage: Usage | undefined =
    a.usage === undefined || b.usage === undefined ? (a.usage ?? b.usage) : addUsage(a.usage, b.usage)
  return {
    tokens: a.tokens + b.tokens,
    usd: a.usd + b.usd,
    modelCalls: a.modelCalls + b.modelCalls,
    ...(usage === undefined ? {} : { usage }),
    knownUsd: a.knownUsd === null || b.knownUsd === null ? null : a.knownUsd + b.knownUsd,
    partial: a.partial || b.partial,
  }
}

/** What has been used, from what was charged. */
export function spentOf({ modelCalls, usage, partial, knownUsd }: Charged, steps: number, toolCalls: number): Spent {
  return {
    steps,
    tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    toolCalls,
    modelCalls,
    usage: usage ?? { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, source: 'known' },
    partial,
    usd: knownUsd,
  }
}
