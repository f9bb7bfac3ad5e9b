import type { CellStats } from '../index/bank-index.js'
import { tQuantile } from '../statistics/distributions.js'

/** Runs that an unmeasured harness is taken to have had, with the mean of the cluster. */
const PSEUDO_COUNT = 4

/** What is usual in a cluster. */
export interface ClusterMeans {
  /** Mean reward; one half where nothing is measured. */
  readonly reward: number
  /** Mean and spread of the mean logarithms of cost of its harnesses; null where fewer than two are known. */
  readonly logUsd: { readonly mean: number; readonly deviation: number } | null
}

/** What is usual among harnesses, from what each of them came to. */
export function clusterMeans(stats: readonly CellStats[]): ClusterMeans {
  const n = sum(stats.map((one) => one.n))
  const reward = n === 0 ? 0.5 : sum(stats.map(({ rewardSum }) => rewardSum)) / n
  const logs = stats.flatMap(({ usdN, usdLogSum }) => (usdN === 0 ? [] : [usdLogSum / usdN]))
  if (logs.length < 2) return { reward, logUsd: null }
  const mean = sum(logs) / logs.length
  const deviation = Math.sqrt(sum(logs.map((log) => (log - mean) ** 2)) / (logs.length - 1))
  return { reward, logUsd: deviation > 0 ? { mean, deviation } : null }
}

/**
 * How much a harness is to be trusted before it is tried, from 0.05 to 1.25: one quarter, and the lower bound of its reward
 * (90 %, shrunk to the mean of the cluster as if by four runs), less a tenth of how far its cost is above what is usual. It is
 * never negative, so that a worse harness never comes to stand before a better one by being multiplied.
 */
export function priorOf(stats: CellStats | undefined, means: ClusterMeans): number {
  const dear = 0.1 * costScore(stats, means)
  return clamp(0.25 + rewardBound(stats, means.reward) - dear, { from: 0.05, to: 1.25 })
}

/** Lower bound of the mean reward; the mean of the cluster for a harness that was not measured. */
export function rewardBound(stats: CellStats | undefined, clusterMean: number): number {
  if (stats === undefined || stats.n === 0) return clusterMean
  const size = stats.n + PSEUDO_COUNT
  const mean = (stats.rewardSum + PSEUDO_COUNT * clusterMean) / size
  const squares = (stats.rewardSquares + PSEUDO_COUNT * clusterMean * clusterMean) / size
  const error = Math.sqrt(Math.max(0, squares - mean * mean) / size)
  return mean - tQuantile(0.9, Number.POSITIVE_INFINITY) * error
}

/** Standard deviations by which the mean logarithm of cost is above what is usual, from -2 to 2; 0 where it is unknown. */
function costScore(stats: CellStats | undefined, { logUsd }: ClusterMeans): number {
  if (stats === undefined || stats.usdN === 0 || logUsd === null) return 0
  return clamp((stats.usdLogSum / stats.usdN - logUsd.mean) / logUsd.deviation, { from: -2, to: 2 })
}

function clamp(value: number, { from, to }: { readonly from: number; readonly to: number }): number {
  return Math.min(to, Math.max(from, value))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
