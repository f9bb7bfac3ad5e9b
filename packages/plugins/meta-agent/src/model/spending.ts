import type { Limits, Model, ModelRequest, ModelResponse, Price, Purpose, Usage } from '@harnesswright/core'
import { boundOf, SHARE } from './affordable.js'

/** What a composition cost. */
export interface ComposeSpent {
  readonly modelCalls: number
  /** Sums of what is known of all calls; a count is `null` when it is known of none. */
  readonly usage: Usage
  /** USD; `null` where a price or a count is unknown. */
  readonly usd: number | null
  /** Time in ms on the environment's clock. */
  readonly ms: number
  /** Model calls by purpose: `compose`, `repair`, `judge`, `probe`. */
  readonly calls: Readonly<Record<string, number>>
}

const NONE: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, source: 'known' }

/** Counts what the model calls of a composition cost. */
export class Spending {
  #modelCalls = 0
  #usage: Usage = NONE
  #usd: number | null = 0
  #charged = { tokens: 0, usd: 0 }
  readonly #calls = new Map<Purpose, number>()

  /** Counts one call, answered or not. Where the counts are not known, its bound is charged to the limits. */
  add(request: ModelRequest, response: ModelResponse | undefined, model: Pick<Model, 'price'>): void {
    const { usage } = response ?? {}
    const { price } = model
    this.#modelCalls += 1
    this.#calls.set(request.purpose, (this.#calls.get(request.purpose) ?? 0) + 1)
    this.#usage = sum(this.#usage, usage)
    const usd = usage === undefined ? null : costOf(usage, price)
    this.#usd = this.#usd === null || usd === null ? null : this.#usd + usd
    const bound = boundOf(request, price)
    this.#charged.tokens += tokensOf(usage) ?? bound.tokens
    this.#charged.usd += usd ?? bound.usd
  }

  /** How many requests like this may still be made, so that composing takes a fifth of the limits at most. */
  affords(request: ModelRequest, { price }: Pick<Model, 'price'>, limits: Limits): number {
    const bound = boundOf(request, price)
    const byTokens = (limits.tokens * SHARE - this.#charged.tokens) / bound.tokens
    const isPriced = bound.usd > 0 && Number.isFinite(limits.usd)
    const byUsd = isPriced ? (limits.usd * SHARE - this.#charged.usd) / bound.usd : Number.POSITIVE_INFINITY
    return Math.max(0, Math.floor(Math.min(byTokens, byUsd)))
  }

  /** What was spent so far, in a time that the caller knows. Without a model call no time counts. */
  total(ms: number): ComposeSpent {
    const modelCalls = this.#modelCalls
    const calls = Object.freeze(Object.fromEntries(this.#calls))
    return Object.freeze({ modelCalls, usage: this.#usage, usd: this.#usd, ms: modelCalls === 0 ? 0 : ms, calls })
  }

  /** What is left of limits for the run, in a time that the caller knows: only those that were lowered. */
  left(limits: Limits, ms: number): Partial<Limits> {
    if (this.#modelCalls === 0) return {}
    return {
      tokens: Math.max(0, limits.tokens - this.#charged.tokens),
      ms: Math.max(0, limits.ms - ms),
      ...(this.#usd === null || !Number.isFinite(limits.usd) ? {} : { usd: Math.max(0, limits.usd - this.#usd) }),
    }
  }
}

function tokensOf(usage: Usage | undefined): number | undefined {
  if (!isCount(usage?.inputTokens) || !isCount(usage.outputTokens)) return undefined
  return usage.inputTokens + usage.outputTokens
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
