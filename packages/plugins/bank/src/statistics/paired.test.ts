import { seededRandom } from '@harnesswright/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intervalOf, lowerBound, pValueAbove, pValueBelow, upperBound } from './estimate.js'
import { formatInterval } from './format-interval.js'
import { agrestiMin, meanByT, type Pair, pairedDifference, pairedT } from './paired.js'

/** Pairs of 0 and 1 with these counts. */
function pairsOf(wins: number, losses: number, ties: number): readonly Pair[] {
  const repeat = (pair: Pair, count: number): Pair[] => Array.from({ length: count }, () => pair)
  return [...repeat([1, 0], wins), ...repeat([0, 1], losses), ...repeat([1, 1], ties)]
}

test('the paired t interval is that of the differences', () => {
  // 1.83, 0.83 … by hand: mean 0.3, standard deviation 0.158114, n 5, t(0.975, 4) 2.776445
  const pairs: readonly Pair[] = [
    [0.6, 0.5],
    [0.7, 0.5],
    [0.8, 0.5],
    [0.9, 0.5],
    [1, 0.5],
  ]
  const interval = intervalOf(pairedT(pairs))
  expect(interval).toMatchObject({ kind: 'interval', method: 'paired-t', n: 5 })
  if (interval.kind !== 'interval') throw new Error('unreachable')
  expect(interval.mean).toBeCloseTo(0.3, 12)
  expect(interval.lower).toBeCloseTo(0.3 - (2.77644510519779 * Math.sqrt(0.025)) / Math.sqrt(5), 10)
  expect(interval.upper).toBeCloseTo(0.3 + (2.77644510519779 * Math.sqrt(0.025)) / Math.sqrt(5), 10)
})

test('outcomes of 0 and 1 are compared as Agresti and Min do, with half a pair in each cell', () => {
  // 6 wins, 2 losses, 12 ties: (6 - 2) / 22, and the variance of (6.5, 2.5) of 22
  const estimate = pairedDifference(pairsOf(6, 2, 12))
  if (estimate.kind !== 'estimate') throw new Error('unreachable')
  expect(estimate).toMatchObject({ method: 'agresti-min', mean: 0.2, n: 20, tied: false })
  expect(estimate.centre).toBeCloseTo(4 / 22, 12)
  expect(estimate.standardError).toBeCloseTo(Math.sqrt(9 / 22 - (4 / 22) ** 2) / Math.sqrt(22), 12)
})

test('twenty pairs of outcomes that are all tied are known within an error, which shrinks with more of them', () => {
  const bounds = [20, 80, 320].map((ties) => lowerBound(agrestiMin(pairsOf(0, 0, ties)), 0.9))
  expect(bounds[0]).toBeCloseTo(-1.2815515655446 / 22, 10)
  expect(bounds).toEqual(bounds.toSorted((a, b) => a - b))
  expect(bounds.every((bound) => bound < 0)).toBe(true)
  expect(formatInterval(intervalOf(agrestiMin(pairsOf(0, 0, 20))))).toBe('0.000: no information (all 20 alike)')
})

test('differences that are all alike say nothing: no bound, and a p-value of 1', () => {
  const estimate = pairedT(Array.from({ length: 20 }, (_, index): Pair => [index * 0.1 + 0.3, index * 0.1]))
  expect(estimate).toMatchObject({ kind: 'no-information', n: 20, reason: 'all 20 alike' })
  expect(lowerBound(estimate, 0.9)).toBe(Number.NEGATIVE_INFINITY)
  expect(upperBound(estimate, 0.9)).toBe(Number.POSITIVE_INFINITY)
  expect(pValueAbove(estimate, -1)).toBe(1)
  expect(pValueBelow(estimate, 1)).toBe(1)
  expect(formatInterval(intervalOf(estimate))).toBe('0.300: no information (all 20 alike)')
})

test('nothing and one value say nothing', () => {
  expect(meanByT([])).toEqual({ kind: 'no-information', mean: null, n: 0, reason: 'nothing measured' })
  expect(pairedT([[1, 0.5]])).toMatchObject({ mean: 0.5, n: 1, reason: 'measured once' })
  expect(agrestiMin([])).toMatchObject({ kind: 'no-information', n: 0 })
})

test('outcomes other than 0 and 1 are refused by Agresti and Min', () => {
  expect(() => agrestiMin([[0.5, 1]])).toThrow('every result must be 0 or 1')
})

const samples = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  {
    minLength: 2,
    maxLength: 40,
  },
)
const outcomes = fc.array(fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(0, 1)), { minLength: 1, maxLength: 40 })

test('swapping the two sides mirrors every bound', () => {
  fc.assert(
    fc.property(fc.oneof(samples, outcomes), (pairs) => {
      const own = pairedDifference(pairs)
      const swapped = pairedDifference(pairs.map(([a, b]): Pair => [b, a]))
      if (own.kind === 'no-information') expect(swapped.kind).toBe('no-information')
      else expect(lowerBound(own, 0.9)).toBeCloseTo(-upperBound(swapped, 0.9), 9)
    }),
  )
})

test('a p-value is at most the level exactly where the bound is at least the threshold', () => {
  const levels = fc.double({ min: 0.01, max: 0.49, noNaN: true })
  fc.assert(
    fc.property(
      fc.oneof(samples, outcomes),
      levels,
      fc.double({ min: -1, max: 1, noNaN: true }),
      (pairs, alpha, at) => {
        const estimate = pairedDifference(pairs)
        const bound = lowerBound(estimate, 1 - alpha)
        fc.pre(Math.abs(bound - at) > 1e-9)
        expect(pValueAbove(estimate, at) <= alpha).toBe(bound >= at)
      },
    ),
  )
})

test('the interval of Agresti and Min holds the true difference about as often as it says', () => {
  const random = seededRandom(7)
  const covered = Array.from({ length: 2_000 }, () => {
    const pairs = Array.from({ length: 20 }, (): Pair => {
      const isEasy = random.next() < 0.5
      const won = (p: number): number => (random.next() < p ? 1 : 0)
      return [won(isEasy ? 0.95 : 0.45), won(isEasy ? 0.95 : 0.65)] // 0.7 and 0.8
    })
    const interval = intervalOf(agrestiMin(pairs), 0.9)
    return interval.kind === 'interval' && interval.lower <= -0.1 && -0.1 <= interval.upper
  }).filter(Boolean).length
  expect(covered / 2_000).toBeGreaterThan(0.88)
  expect(covered / 2_000).toBeLessThan(0.96)
})
