import {
  type Estimate,
  type Interval,
  intervalOf,
  type NoInformation,
  pairedT,
  tQuantile,
} from '@harnesswright/plugin-bank/statistics'
import { type TaskOutcome, unitMeans } from './units.js'

/** What is said of one arm against another on the same tasks. */
export type Verdict = 'better' | 'cheaper' | 'not shown' | 'worse'

/** One arm against another, over units of the same tasks. */
export interface Comparison {
  /** Units that both were measured on. */
  readonly units: number
  /** Mean difference of rewards, with its interval of 95 % by a paired t. */
  readonly reward: Interval | NoInformation
  /** Mean difference of USD a task; `no-information` where a cost is unknown. */
  readonly usd: Interval | NoInformation
  /**
   * The smallest true difference of rewards that a comparison like this one would have shown nine times out of ten; null where
   * nothing is known of the spread.
   */
  readonly detectable: number | null
  /**
   * `better`: the interval of the reward lies above 0. `cheaper`: it lies above -{@link REWARD_MARGIN}, and that of the cost
   * below 0. `worse`: that of the reward lies below 0.
   */
  readonly verdict: Verdict
}

/** So much reward may be lost where money is saved: two points of a hundred. */
export const REWARD_MARGIN = 0.02

/** How surely a difference of the size that is told as detectable would be shown. */
const POWER = 0.9

/** Compares what two arms came to on the same tasks: paired by unit, each the mean of its tasks. */
export function compareArms(own: readonly TaskOutcome[], other: readonly TaskOutcome[]): Comparison {
  const theirs = new Map(unitMeans(pairedOnly(other, own)).map((means) => [means.unit, means]))
  const pairs = unitMeans(pairedOnly(own, other)).flatMap((means) => {
    const counterpart = theirs.get(means.unit)
    return counterpart === undefined ? [] : [[means, counterpart] as const]
  })
  const rewardEstimate = pairedT(pairs.map(([a, b]) => [a.reward, b.reward]))
  const costs = pairs.flatMap(([a, b]) => (a.usd === null || b.usd === null ? [] : [[a.usd, b.usd] as const]))
  const reward = intervalOf(rewardEstimate)
  const usd = costs.length < pairs.length ? unknownCost(pairs.length) : intervalOf(pairedT(costs))
  return { units: pairs.length, reward, usd, detectable: detectableOf(rewardEstimate), verdict: verdictOf(reward, usd) }
}

/** The outcomes of tasks that the other arm has an outcome of. */
function pairedOnly(outcomes: readonly TaskOutcome[], others: readonly TaskOutcome[]): readonly TaskOutcome[] {
  const measured = new Set(others.filter(({ outcome }) => outcome.reward !== null).map(({ task }) => task.id))
  return outcomes.filter(({ task }) => measured.has(task.id))
}

function unknownCost(n: number): NoInformation {
  return { kind: 'no-information', mean: null, n, reason: 'a cost is unknown' }
}

function detectableOf(estimate: Estimate | NoInformation): number | null {
  if (estimate.kind === 'no-information') return null
  const { degrees, standardError } = estimate
  return (tQuantile(0.975, degrees) + tQuantile(POWER, degrees)) * standardError
}

function verdictOf(reward: Interval | NoInformation, usd: Interval | NoInformation): Verdict {
  const [low, high] = boundsOf(reward)
  if (low > 0) return 'better'
  if (high < 0) return 'worse'
  return low >= -REWARD_MARGIN && boundsOf(usd)[1] < 0 ? 'cheaper' : 'not shown'
}

/** Where all pairs are alike, they are alike as far as can be seen: of equal rewards the bounds are those of no difference. */
function boundsOf(interval: Interval | NoInformation): readonly [low: number, high: number] {
  if (interval.kind === 'interval') return [interval.lower, interval.upper]
  const isTied = interval.n >= LEAST_TIED && interval.mean !== null
  return isTied ? [Math.min(0, interval.mean), Math.max(0, interval.mean)] : [-Infinity, Infinity]
}

/** Fewer pairs than these say nothing, though all be alike. */
const LEAST_TIED = 10
