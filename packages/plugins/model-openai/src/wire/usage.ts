import type { Usage } from '@harnesswright/core'
import { countOf, type Fields, fieldsOf } from '../json-fields.js'

/** The counts of an endpoint, or undefined when it says none: a count that is not there is unknown, never 0. */
export function readUsage(reported: Fields | undefined): Usage | undefined {
  if (reported === undefined) return undefined
  const ofInput = fieldsOf(reported['prompt_tokens_details']) ?? {}
  const ofOutput = fieldsOf(reported['completion_tokens_details']) ?? {}
  const inputTokens = first(reported['prompt_tokens'], reported['input_tokens'])
  const cachedTokens =
    first(ofInput['cached_tokens'], reported['prompt_cache_hit_tokens']) ?? first(reported['cached_tokens'])
  const outputTokens = first(reported['completion_tokens'], reported['output_tokens'])
  const reasoningTokens = first(ofOutput['reasoning_tokens'], reported['reasoning_tokens'])
  const isKnown = inputTokens !== null && outputTokens !== null
  if ((inputTokens ?? outputTokens ?? cachedTokens ?? reasoningTokens) === null) return undefined
  return { inputTokens, cachedTokens, outputTokens, reasoningTokens, source: isKnown ? 'known' : 'unknown' }
}

/** The count of the first field that has one; a count that is in none is unknown. */
function first(value: unknown, other?: unknown): number | null {
  return countOf(value) ?? countOf(other) ?? null
}

/** What is known after one more report: reports of a stream stand for the whole, so the later count wins; none are added. */
export function mergeReports(before: Fields | undefined, report: unknown): Fields | undefined {
  const fields = fieldsOf(report)
  if (fields === undefined || before === undefined) return fields ?? before
  const said = Object.entries(fields).filter(([, value]) => value !== null)
  return { ...before, ...Object.fromEntries(said) }
}
