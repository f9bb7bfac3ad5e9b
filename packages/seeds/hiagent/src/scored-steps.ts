import { noveltiesOf } from './novelty.js'

/** What a step's place and what its observations bring count. */
export interface Weights {
  readonly position: number
  readonly novelty: number
}

/** Width of the dip in the middle, as a share of the number of steps. */
const SPREAD = 1 / 6

/**
 * How much each step counts: by its place, low in the middle and high at both ends, and by how new its observations are before
 * those of the step that follows.
 *
 * @param observations - Text of each step, in order.
 */
export function scoreSteps(observations: readonly string[], weights: Weights): readonly number[] {
  const novelties = noveltiesOf(observations)
  const middle = (observations.length - 1) / 2
  const spread = SPREAD * observations.length
  return novelties.map((novelty, at) => {
    const position = 1 - Math.exp(-((at - middle) ** 2) / (2 * spread ** 2))
    return weights.position * position + weights.novelty * novelty
  })
}

/**
 * Places of the steps that stay: the first and the last, and of the others those that count most, of equal ones the newer.
 *
 * @param most - Steps that stay, at least 1: the last one.
 */
export function bestSteps(scores: readonly number[], most: number): ReadonlySet<number> {
  const last = scores.length - 1
  const inner = scores.map((score, at) => ({ score, at })).slice(1, -1)
  const ranked = inner.toSorted((one, other) => other.score - one.score || other.at - one.at).map(({ at }) => at)
  return new Set([last, 0, ...ranked].slice(0, most))
}
