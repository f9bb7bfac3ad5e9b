import type { Judged, Prediction } from './candidate.js'

/** An effect that was seen once is believed by half. */
const PSEUDO = 1

/**
 * What is expected of a change: the mean of what proposals with the same traits came to, drawn towards no change. Of what was
 * never tried no change is expected.
 */
export function foresee(traits: readonly string[], judged: readonly Judged[]): Prediction {
  const alike = judged.filter((one) => one.traits.some((trait) => traits.includes(trait)))
  const shrunk = (values: readonly (number | null)[]): number => {
    const known = values.filter((value) => value !== null)
    return known.reduce((sum, value) => sum + value, 0) / (known.length + PSEUDO)
  }
  return {
    reward: shrunk(alike.map(({ outcome }) => outcome.reward)),
    logUsd: shrunk(alike.map(({ outcome }) => outcome.logUsd)),
  }
}

/** How good the predictions were. */
export interface Foresight {
  /** Proposals with an outcome. */
  readonly proposals: number
  /** Mean absolute error of the change of the reward; null of none. */
  readonly error: number | null
  /** The same for the prediction that nothing changes. */
  readonly errorOfNoChange: number | null
  /** Of the proposals for which a change was predicted, and one came, the share with the right sign; null of none. */
  readonly rightSign: number | null
}

/** Smaller changes are none. */
const NOTHING = 1e-6

/** Predictions of the reward beside what came. */
export function foresightOf(judged: readonly Judged[]): Foresight {
  const known = judged.flatMap(({ prediction, outcome }) =>
    outcome.reward === null ? [] : [{ said: prediction.reward, came: outcome.reward }],
  )
  const signed = known.filter(({ said, came }) => Math.abs(said) > NOTHING && Math.abs(came) > NOTHING)
  const meanOf = (values: readonly number[]): number | null =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    proposals: known.length,
    error: meanOf(known.map(({ said, came }) => Math.abs(said - came))),
    errorOfNoChange: meanOf(known.map(({ came }) => Math.abs(came))),
    rightSign: meanOf(signed.map(({ said, came }) => (Math.sign(said) === Math.sign(came) ? 1 : 0))),
  }
}
