import type { Limits, ModelResponse, Price, Usage } from '@harnesswright/core'

/** What a composition cost. */
export interface ComposeSpent {
  readonly modelCalls: number
  /** Sums of what is known of all calls; a count is `null` when it is known of none. */
  readonly usage: Usage
  /** USD; `null` where a price or a count is unknown. */
  readonly usd: number | null
  /** Time in ms on the environment's clock. */
  readonly ms: number
}

const NONE: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, source: 'known' }

/** Counts what the model calls of a composition cost. */
export class Spending {
  #modelCalls = 0
  #usage: Usage = NONE
  #usd: number | null = 0

  /** Counts one call, answered or not. */
  add(response: ModelResponse | undefined, price: Price | undefined): void {
    const { usage } = response ?? {}
    this.#modelCalls += 1
    this.#usage = sum(this.#usage, usage)
    const usd = usage === undefined ? null : costOf(usage, price)
    this.#usd = this.#usd === null || usd === null ? null : this.#usd + usd
  }

  /** What was spent so far, in a time that the caller knows. Without a model call no time counts. */
  total(ms: number): ComposeSpent {
    const modelCalls = this.#modelCalls
    return Object.freeze({ modelCalls, usage: this.#usage, usd: this.#usd, ms: modelCalls === 0 ? 0 : ms })
  }
}

/** What a composition leaves of limits for the run: only those that it lowered. */
export function limitsLeft(limits: Limits, { modelCalls, usage, usd, ms }: ComposeSpent): Partial<Limits> {
  if (modelCalls === 0) return {}
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)
  return {
    tokens: Math.max(0, limits.tokens - tokens),
    ms: Math.max(0, limits.ms - ms),
    ...(usd === null || !Number.isFinite(limits.usd) ? {} : { usd: Math.max(0, limits.usd - usd) }),
  }
}

function sum(total: Usage, usage: Usage | undefined): Usage {
  const add = (name: Exclude<keyof Usage, 'source'>): number | null => {
    const [before, count] = [total[name], usage?.[name]]
    return isCount(count) ? (before ?? 0) + count : before
  }
  const isKnown = isCount(usage?.inputTokens) && isCount(usage.outputTokens)
  return {
    inputTokens: add('inputTokens'),
    cachedTokens: add('cachedTokens'),
    outputTokens: add('outputTokens'),
    reasoningTokens: add('reasoningTokens'),
    source: !isKnown ? 'unknown' : total.source === 'known' ? (usage?.source ?? 'unknown') : total.source,
  }
}

function costOf({ inputTokens, cachedTokens, outputTokens }: Usage, price: Price | undefined): number | null {
  if (price === undefined || !isCount(inputTokens) || !isCount(outputTokens)) return null
  const cached = Math.min(inputTokens, isCount(cachedTokens) ? cachedTokens : 0)
  const input = (inputTokens - cached) * price.input + cached * (price.cached ?? price.input)
  return (input + outputTokens * price.output) / 1e6
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
