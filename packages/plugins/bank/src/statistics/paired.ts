import type { Estimate, NoInformation } from './estimate.js'
import { isTied, mean, sampleVariance } from './moments.js'

/** Two results of one task and one seed: of the one that is judged, and of the one it is compared with. */
export type Pair = readonly [own: number, other: number]

/**
 * Mean difference of pairs, `own - other`. Where every result is 0 or 1 by {@link agrestiMin}, otherwise by {@link pairedT}.
 */
export function pairedDifference(pairs: readonly Pair[]): Estimate | NoInformation {
  return pairs.every((pair) => pair.every((result) => result === 0 || result === 1))
    ? agrestiMin(pairs)
    : pairedT(pairs)
}

/** Mean difference of pairs by Student's t with `n - 1` degrees of freedom. Nothing is known when all differences are alike. */
export function pairedT(pairs: readonly Pair[]): Estimate | NoInformation {
  return { ...meanByT(pairs.map(([own, other]) => own - other)), method: 'paired-t' } as Estimate | NoInformation
}

/**
 * Mean of independent values by Student's t with `n - 1` degrees of freedom. Nothing is known of fewer than two, and when all
 * are alike: a variance of 0 would claim to know it all.
 */
export function meanByT(values: readonly number[]): Estimate | NoInformation {
  const n = values.length
  if (n < 2)
    return {
      kind: 'no-information',
      mean: values[0] ?? null,
      n,
      reason: n === 0 ? 'nothing measured' : 'measured once',
    }
  const middle = mean(values)
  if (isTied(values)) return { kind: 'no-information', mean: middle, n, reason: `all ${n} alike` }
  const standardError = Math.sqrt(sampleVariance(values) / n)
  return { kind: 'estimate', method: 't', mean: middle, centre: middle, standardError, degrees: n - 1, n, tied: false }
}

/**
 * Mean difference of pairs of 0 and 1, with half a pair added to each of the four cells (Agresti and Min 2005): pairs that are
 * all tied are still known within an error.
 *
 * @throws RangeError when a result is neither 0 nor 1.
 */
export function agrestiMin(pairs: readonly Pair[]): Estimate | NoInformation {
  const n = pairs.length
  if (n === 0) return { kind: 'no-information', mean: null, n, reason: 'nothing measured' }
  const { wins, losses } = countOutcomes(pairs)
  const size = n + 2
  const centre = (wins - losses) / size
  const standardError = Math.sqrt((wins + losses + 1) / size - centre ** 2) / Math.sqrt(size)
  return {
    kind: 'estimate',
    method: 'agresti-min',
    mean: (wins - losses) / n,
    centre,
    standardError,
    degrees: Number.POSITIVE_INFINITY,
    n,
    tied: wins + losses === 0,
  }
}

/** Pairs in which one is right and the other wrong. */
function countOutcomes(pairs: readonly Pair[]): { readonly wins: number; readonly losses: number } {
  let [wins, losses] = [0, 0]
  for (const [own, other] of pairs) {
    if (!isOutcome(own) || !isOutcome(other)) throw new RangeError('every result must be 0 or 1')
    if (own > other) wins += 1
    if (own < other) losses += 1
  }
  return { wins, losses }
}

function isOutcome(result: number): boolean {
  return result === 0 || result === 1
}
