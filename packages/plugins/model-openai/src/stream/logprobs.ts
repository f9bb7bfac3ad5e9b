import { type Fields, fieldsOf } from '../json-fields.js'

/** What an endpoint said of the log-probabilities of the tokens of a reply. */
export interface Logprobs {
  readonly sum: number
  readonly tokens: number
}

/** The log-probabilities of a choice, or of a piece of one, added to those before it. */
export function addLogprobs(before: Logprobs | undefined, choice: Fields): Logprobs | undefined {
  const listed = fieldsOf(choice['logprobs'])?.['content']
  if (!Array.isArray(listed)) return before
  const known = listed.map((one) => fieldsOf(one)?.['logprob']).filter((one): one is number => Number.isFinite(one))
  if (known.length === 0) return before
  const sum = known.reduce((total, one) => total + one, before?.sum ?? 0)
  return { sum, tokens: (before?.tokens ?? 0) + known.length }
}
