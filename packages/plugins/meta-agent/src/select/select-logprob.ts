import type { Model } from '@harnesswright/core'
import type { Asking } from '../model/asking-options.js'
import { firstOf, type Selector } from './selector.js'
import { textScores } from './text-scores.js'

/**
 * The manifest that its model finds likeliest: by the mean log-probability of the tokens that it was written in, so that short
 * ones are not favoured. The sums are kept beside it. An endpoint that can is given each text; else what it told as it wrote
 * counts, and why is said. Where it told nothing either, the first is taken.
 */
export function createLogprob(model: Model, { timeoutMs }: Pick<Asking, 'timeoutMs'>): Selector {
  return async (candidates, input) => {
    const asked = await textScores(candidates, input, { model, timeoutMs })
    const [source, why] = 'why' in asked ? (['generation', asked.why] as const) : (['prompt', undefined] as const)
    const told = 'why' in asked ? candidates.map(({ likelihood }) => likelihood) : asked.likelihoods
    if (told.some((one) => one === undefined)) {
      const reason = `The endpoint told no log-probabilities: the first that is valid was taken. Of given texts they are not known: ${why}.`
      return firstOf('logprob', candidates, reason)
    }
    const scores = told.map((one) => (one === undefined ? Number.NEGATIVE_INFINITY : one.sum / one.tokens))
    const sums = told.map((one) => one?.sum ?? null)
    const chosen = scores.indexOf(Math.max(...scores))
    const whence =
      why === undefined ? 'as a given text' : `as it was written; of given texts they are not known: ${why}`
    const reason = `It has the highest mean log-probability of a token, ${scores[chosen]?.toFixed(3)}, ${whence}.`
    return { how: 'logprob', source, chosen, scores, sums, reason }
  }
}
