import { type Estimate, lowerBound, type NoInformation, pValueBelow, upperBound } from '../statistics/estimate.js'
import { type Pair, pairedDifference, pairedT } from '../statistics/paired.js'
import type { RaceRun, RaceTask } from './race.js'

/** A difference as it is stored: bounds are one-sided, and null where nothing is known. */
export interface Comparison {
  readonly method: 'agresti-min' | 'paired-t' | 'none'
  readonly n: number
  /** Mean difference, challenger less the other; of logarithms for cost and time. */
  readonly mean: number | null
  readonly lower: number | null
  readonly upper: number | null
  /** Confidence of each bound. */
  readonly confidence: number
  /** Why nothing is known, where it is so. */
  readonly note?: string
}

/** Difference of the challenger's rewards and those of another. */
export function rewardDifference(tasks: readonly RaceTask[], other: 'champion' | 'anchor'): Estimate | NoInformation {
  return pairedDifference(tasks.map((task): Pair => [Number(task.challenger.reward), Number(task[other].reward)]))
}

/** Difference of the logarithms of cost or time, challenger less champion. Nothing is known where one is unknown or 0. */
export function logDifference(tasks: readonly RaceTask[], what: 'usd' | 'ms'): Estimate | NoInformation {
  if (tasks.some(({ challenger, champion }) => !isAbove0(challenger[what]) || !isAbove0(champion[what])))
    return { kind: 'no-information', mean: null, n: tasks.length, reason: 'unknown, or 0, in some runs' }
  const logOf = (run: RaceRun): number => Math.log(Number(run[what]))
  return pairedT(tasks.map(({ challenger, champion }): Pair => [logOf(challenger), logOf(champion)]))
}

function isAbove0(value: number | null): boolean {
  return value !== null && value > 0
}

/** The difference with its bounds, as it is stored. */
export function comparisonOf(estimate: Estimate | NoInformation, confidence: number): Comparison {
  const { mean, n } = estimate
  if (estimate.kind === 'no-information')
    return { method: 'none', n, mean, lower: null, upper: null, confidence, note: estimate.reason }
  const method = estimate.method === 'agresti-min' ? 'agresti-min' : 'paired-t'
  const [lower, upper] = [lowerBound(estimate, confidence), upperBound(estimate, confidence)]
  return { method, n, mean, lower, upper, confidence }
}

/** The p-value against "it is no less than that of the champion". */
export function pValueLess(estimate: Estimate | NoInformation): number {
  return pValueBelow(estimate, 0)
}
