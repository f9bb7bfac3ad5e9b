import { firstOf, type Selector } from './selector.js'

/**
 * The manifest that its model found likeliest: by the mean log-probability of its tokens, so that short ones are not favoured.
 * The sums are kept beside it. Where an endpoint tells none, the first is taken, and why is said.
 */
export const selectLogprob: Selector = (candidates) => {
  const told = candidates.map(({ likelihood }) => likelihood)
  if (told.some((one) => one === undefined))
    return firstOf('logprob', candidates, 'The endpoint told no log-probabilities: the first that is valid was taken.')
  const scores = told.map((one) => (one === undefined ? Number.NEGATIVE_INFINITY : one.sum / one.tokens))
  const sums = told.map((one) => one?.sum ?? null)
  const chosen = scores.indexOf(Math.max(...scores))
  const reason = `It has the highest mean log-probability of a token, ${scores[chosen]?.toFixed(3)}.`
  return { how: 'logprob', chosen, scores, sums, reason }
}
