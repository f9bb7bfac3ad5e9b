import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellStats } from '../index/bank-index.js'
import { clusterMeans, priorOf, rewardBound } from './prior.js'

/** Sums of n runs that won so often, at this cost each. */
function stats(n: number, wins: number, usd = 0.01): CellStats {
  return {
    harnessId: `h${n}-${wins}`,
    clusterId: 'c',
    backbone: 'b',
    priceTable: 'p',
    protocol: 1,
    n,
    rewardSum: wins,
    rewardSquares: wins,
    judged: 0,
    masked: 0,
    usdN: n,
    usdSum: n * usd,
    usdLogSum: n * Math.log(usd),
    usdLogSquares: n * Math.log(usd) ** 2,
    msN: 0,
    msSum: 0,
    msLogSum: 0,
    msLogSquares: 0,
    tokensN: 0,
    tokensSum: 0,
    lastAt: 0,
  }
}

const some = fc
  .tuple(fc.nat(200), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1e-6, max: 100, noNaN: true }))
  .map(([n, share, usd]) => stats(n, Math.round(n * share), usd))

test('a prior is never negative, and never above 1.25', () => {
  fc.assert(
    fc.property(fc.array(some, { maxLength: 20 }), (all) => {
      const means = clusterMeans(all)
      for (const one of [...all, undefined]) {
        expect(priorOf(one, means)).toBeGreaterThanOrEqual(0.05)
        expect(priorOf(one, means)).toBeLessThanOrEqual(1.25)
      }
    }),
  )
})

test('more evidence for the same share of wins raises the bound; one lucky run does not', () => {
  expect(rewardBound(stats(20, 18), 0.5)).toBeGreaterThan(rewardBound(stats(10, 9), 0.5))
  expect(rewardBound(stats(1, 1), 0.5)).toBeLessThan(rewardBound(stats(20, 18), 0.5))
  expect(rewardBound(undefined, 0.4)).toBe(0.4)
})

test('of two that win as often the cheaper one has the higher prior', () => {
  const [cheap, dear] = [stats(20, 15, 0.01), stats(20, 15, 0.1)]
  const means = clusterMeans([cheap, dear])
  expect(priorOf(cheap, means)).toBeGreaterThan(priorOf(dear, means))
})
