import { tCdf, tQuantile } from './distributions.js'

/** How an estimate was made. */
export type EstimateMethod = 'paired-t' | 'agresti-min' | 't'

/** A mean with what is known of its error. */
export interface Estimate {
  readonly kind: 'estimate'
  readonly method: EstimateMethod
  /** The mean of the sample itself. */
  readonly mean: number
  /** Where the interval has its middle: of Agresti and Min slightly nearer to 0 than the mean. */
  readonly centre: number
  /** Above 0. */
  readonly standardError: number
  /** Degrees of freedom of Student's t; `Infinity` for the normal distribution. */
  readonly degrees: number
  /** Units in the sample: pairs, or tasks. */
  readonly n: number
  /** Whether every unit has the same value: then there is an interval, and little is known. */
  readonly tied: boolean
}

/** A sample that says nothing of its error: too small, or all alike. */
export interface NoInformation {
  readonly kind: 'no-information'
  /** null for an empty sample. */
  readonly mean: number | null
  readonly n: number
  readonly reason: string
}

/** An interval around a mean. */
export interface Interval {
  readonly kind: 'interval'
  readonly method: EstimateMethod | 'wilson' | 'bootstrap'
  readonly mean: number
  readonly lower: number
  readonly upper: number
  readonly n: number
  /** Share of such intervals that hold the true value: 0.95. */
  readonly confidence: number
  /** Whether every unit has the same value. */
  readonly tied: boolean
}

/** Largest value that the true one lies above, one-sided, with this confidence; `-Infinity` where nothing is known. */
export function lowerBound(estimate: Estimate | NoInformation, confidence: number): number {
  if (estimate.kind === 'no-information') return Number.NEGATIVE_INFINITY
  return estimate.centre - tQuantile(confidence, estimate.degrees) * estimate.standardError
}

/** Smallest value that the true one lies below, one-sided, with this confidence; `Infinity` where nothing is known. */
export function upperBound(estimate: Estimate | NoInformation, confidence: number): number {
  if (estimate.kind === 'no-information') return Number.POSITIVE_INFINITY
  return estimate.centre + tQuantile(confidence, estimate.degrees) * estimate.standardError
}

/**
 * The p-value against "the true value is at most `threshold`": at most `1 - confidence` exactly where {@link lowerBound} is at
 * least `threshold`. 1 where nothing is known.
 */
export function pValueAbove(estimate: Estimate | NoInformation, threshold: number): number {
  if (estimate.kind === 'no-information') return 1
  return tCdf((threshold - estimate.centre) / estimate.standardError, estimate.degrees)
}

/** The p-value against "the true value is at least `threshold`". 1 where nothing is known. */
export function pValueBelow(estimate: Estimate | NoInformation, threshold: number): number {
  if (estimate.kind === 'no-information') return 1
  return tCdf((estimate.centre - threshold) / estimate.standardError, estimate.degrees)
}

/**
 * The two-sided interval of an estimate.
 *
 * @param confidence - Default: 0.95.
 */
export function intervalOf(estimate: Estimate | NoInformation, confidence = 0.95): Interval | NoInformation {
  if (estimate.kind === 'no-information') return estimate
  const { method, mean, n, tied } = estimate
  const side = (1 + confidence) / 2
  return {
    kind: 'interval',
    method,
    mean,
    lower: lowerBound(estimate, side),
    upper: upperBound(estimate, side),
    n,
    confidence,
    tied,
  }
}
