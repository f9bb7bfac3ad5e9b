import type { Usage } from '@harnesswright/core'
import { countOf, type Fields, fieldsOf } from '../json-fields.js'

/** The counts of an endpoint, or undefined when it says none: a count that is not there is unknown, never 0. */
export function readUsage(reported: Fields | undefined): Usage | undefined {
  if (reported === undefined) return undefined
  const ofInput = fieldsOf(reported['prompt_tokens_details']) ?? {}
  const ofOutput = fieldsOf(reported['completion_tokens_details']) ?? {}
  const first = (...values: unknown[]): number | null =>
    values.map(countOf).find((count) => count !== undefined) ?? null
  const usage = {
    inputTokens: first(reported['prompt_tokens'], reported['input_tokens']),
    cachedTokens: first(ofInput['cached_tokens'], reported['prompt_cache_hit_tokens'], reported['cached_tokens']),
    outputTokens: first(reported['completion_tokens'], reported['output_tokens']),
    reasoningTokens: first(ofOutput['reasoning_tokens'], reported['reasoning_tokens']),
  }
  if (Object.values(usage).every((count) => count === null)) return undefined
  const isKnown = usage.inputTokens !== null && usage.outputTokens !== null
  return { ...usage, source: isKnown ? 'known' : 'unknown' }
}

/** What is known after one more report: reports of a stream stand for the whole, so the later count wins; none are added. */
export function mergeReports(before: Fields | undefined, report: unknown): Fields | undefined {
  const fields = fieldsOf(report)
  if (fields === undefined) return before
  const said = Object.entries(fields).filter(([, value]) => value !== null)
  return { ...before, ...Object.fromEntries(said) }
}
