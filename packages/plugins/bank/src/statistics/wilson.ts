import { tQuantile } from './distributions.js'
import type { Interval, NoInformation } from './estimate.js'

/**
 * Wilson's interval of a share: for one result of 0 or 1 of each task, and for nothing else. Repeats of a task are not
 * independent of each other: see `rewardInterval`.
 *
 * @param confidence - Default: 0.95, two-sided.
 */
export function wilson(successes: number, n: number, confidence = 0.95): Interval | NoInformation {
  if (n === 0) return { kind: 'no-information', mean: null, n, reason: 'nothing measured' }
  const z = tQuantile((1 + confidence) / 2, Number.POSITIVE_INFINITY)
  const share = successes / n
  const centre = (share + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n)
  return {
    kind: 'interval',
    method: 'wilson',
    mean: share,
    lower: Math.max(0, centre - half),
    upper: Math.min(1, centre + half),
    n,
    confidence,
    tied: successes === 0 || successes === n,
  }
}
