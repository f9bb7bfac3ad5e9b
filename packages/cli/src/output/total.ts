import type { RunResult, Usage } from '@harnesswright/core'
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

/** The sums of a run, of those before it that failed by their harness, and of what a model spent on composing and mending it. */
export function totalOf({ result, composing, earlier = [] }: Pick<Outcome, 'result' | 'composing' | 'earlier'>): Total {
  const runs = earlier.map(({ total }) => total).reduce(addTotals, runTotal(result))
  if (composing === undefined) return runs
  const { inputTokens, outputTokens, source } = composing.usage
  return addTotals(runs, {
    ...composing,
    tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
    partial: source === 'unknown',
  })
}

/** The sums of one run. */
export function runTotal({ spent, ms }: Pick<RunResult, 'spent' | 'ms'>): Total {
  const { modelCalls, usage, tokens, partial, usd } = spent
  return { modelCalls, usage, tokens, partial, usd, ms }
}

/** The sum of two. */
export function addTotals(a: Total, b: Total): Total {
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    usage: addUsage(a.usage, b.usage),
    tokens: a.tokens + b.tokens,
    partial: a.partial || b.partial,
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
    ms: a.ms + b.ms,
  }
}

const SOURCES: readonly Usage['source'][] = ['unknown', 'estimated', 'known']

/** A count that is known of one alone is at least that; what is said of the sum is what is said of the worse. */
export function addUsage(a: Usage, b: Usage): Usage {
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
