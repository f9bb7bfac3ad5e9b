import type { Usage } from '@harnesswright/core'
import type { Outcome } from './outcome.js'

/** What a run and its composition cost together. */
export interface Total {
  readonly modelCalls: number
  readonly usage: Usage
  readonly tokens: number
  /** Some of it is not known, and the sums are lower bounds. */
  readonly partial: boolean
  readonly usd: number | null
  readonly ms: number
}

/** The sums of a run and of what a model spent on composing its harness. */
export function totalOf({ result: { spent, ms }, composing }: Pick<Outcome, 'result' | 'composing'>): Total {
  const { modelCalls, usage, tokens, partial, usd } = spent
  if (composing === undefined) return { modelCalls, usage, tokens, partial, usd, ms }
  const more = composing.usage
  return {
    modelCalls: modelCalls + composing.modelCalls,
    usage: sumOf(usage, more),
    tokens: tokens + (more.inputTokens ?? 0) + (more.outputTokens ?? 0),
    partial: partial || more.source === 'unknown',
    usd: usd === null || composing.usd === null ? null : usd + composing.usd,
    ms: ms + composing.ms,
  }
}

const SOURCES: readonly Usage['source'][] = ['unknown', 'estimated', 'known']

/** A count that is known of one alone is at least that; what is said of the sum is what is said of the worse. */
function sumOf(a: Usage, b: Usage): Usage {
  const add = (name: Exclude<keyof Usage, 'source'>): number | null => {
    const [first, second] = [a[name], b[name]]
    return first === null || second === null ? (first ?? second) : first + second
  }
  return {
    inputTokens: add('inputTokens'),
    cachedTokens: add('cachedTokens'),
    outputTokens: add('outputTokens'),
    reasoningTokens: add('reasoningTokens'),
    source: SOURCES.find((source) => source === a.source || source === b.source) ?? 'unknown',
  }
}
