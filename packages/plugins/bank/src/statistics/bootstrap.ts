import type { Random } from '@harnesswright/core'
import type { Interval, NoInformation } from './estimate.js'
import { isTied, mean } from './moments.js'

/** Fewer units than this are never resampled: the percentiles of so few are too narrow. */
export const LEAST_BOOTSTRAP_UNITS = 20

/** How a bootstrap is made. */
export interface BootstrapOptions {
  /** Where chance comes from, such as `seededRandom(1)` of core. */
  readonly random: Random
  /** Samples that are drawn. Default: 2,000. */
  readonly resamples?: number
  /** Two-sided. Default: 0.95. */
  readonly confidence?: number
}

/**
 * Percentile bootstrap of the mean over tasks: whole tasks are drawn, each with all of its repeats. A task counts once, however
 * often it was repeated.
 *
 * @param tasks - The results of each task. Tasks without one are left out.
 * @returns No information for fewer than {@link LEAST_BOOTSTRAP_UNITS} tasks, and when all are alike.
 */
export function bootstrapMean(
  tasks: readonly (readonly number[])[],
  { random, resamples = 2_000, confidence = 0.95 }: BootstrapOptions,
): Interval | NoInformation {
  const units = tasks.filter(({ length }) => length > 0).map(mean)
  const n = units.length
  const middle = n === 0 ? null : mean(units)
  const none = (reason: string): NoInformation => ({ kind: 'no-information', mean: middle, n, reason })
  if (middle === null) return none('nothing measured')
  if (n < LEAST_BOOTSTRAP_UNITS) return none(`${n} tasks, and a bootstrap needs ${LEAST_BOOTSTRAP_UNITS}`)
  if (isTied(units)) return none(`all ${n} alike`)
  const means = Float64Array.from({ length: resamples }, () => resampledMean(units, random)).sort()
  const at = (share: number): number => means[Math.round(share * (resamples - 1))] as number // within its length
  const side = (1 - confidence) / 2
  return {
    kind: 'interval',
    method: 'bootstrap',
    mean: middle,
    lower: at(side),
    upper: at(1 - side),
    n,
    confidence,
    tied: false,
  }
}

function resampledMean(units: readonly number[], random: Random): number {
  let sum = 0
  for (let drawn = 0; drawn < units.length; drawn += 1) sum += units[Math.floor(random.next() * units.length)] as number
  return sum / units.length
}
