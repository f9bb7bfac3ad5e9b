import type { Usage } from './types/index.js'

/** Counts of a call of which nothing is known. */
const UNKNOWN_USAGE: Usage = Object.freeze({
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  source: 'unknown',
})

/** Usage as a model reported it: what is no count is unknown, as one NaN would unmake every limit. */
export function readUsage(reported?: Usage | null): Usage {
  const usage = reported ?? UNKNOWN_USAGE // some endpoints send null
  const count = (value: unknown): number | null =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
  const inputTokens = count(usage.inputTokens)
  const outputTokens = count(usage.outputTokens)
  return {
    inputTokens,
    cachedTokens: count(usage.cachedTokens),
    outputTokens,
    reasoningTokens: count(usage.reasoningTokens),
    source: inputTokens === null || outputTokens === null ? 'unknown' : usage.source,
  }
}

/** Sum of counts: a count that is unknown in one of them leaves the sum of the known ones. */
export function addUsage(total: Usage, usage: Usage): Usage {
  const add = (a: number | null, b: number | null): number | null =>
    a === null && b === null ? null : (a ?? 0) + (b ?? 0)
  const sources = [total.source, usage.source]
  return {
    inputTokens: add(total.inputTokens, usage.inputTokens),
    cachedTokens: add(total.cachedTokens, usage.cachedTokens),
    outputTokens: add(total.outputTokens, usage.outputTokens),
    reasoningTokens: add(total.reasoningTokens, usage.reasoningTokens),
    source: sources.includes('unknown') ? 'unknown' : sources.includes('estimated') ? 'estimated' : 'known',
  }
}
