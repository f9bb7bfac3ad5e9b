import { pValueAbove } from '../statistics/estimate.js'
import { type AnchorVerdict, decideAnchor } from './anchor.js'
import { type Comparison, comparisonOf, logDifference, pValueLess, rewardDifference } from './comparison.js'
import { measuredTasks, type Race, type RaceTask } from './race.js'
import { marginOf, RACE_LEVEL, RULE_VERSION } from './settings.js'
import { reasonOfRace } from './words.js'

/**
 * `promote`: the challenger becomes the champion. `reject`: it does not. `nominate`: it would, but a judge scored some of the
 * evidence. `incomplete`: too few runs that count, so that nothing is decided yet.
 */
export type RaceVerdict = 'promote' | 'reject' | 'nominate' | 'incomplete'

/** In what a challenger is better than the champion, beyond a bound. */
export type Gain = 'reward' | 'usd' | 'ms'

/** The numbers of a decision. */
export interface RaceNumbers {
  /** Pairs that count, and the number that was fixed. */
  readonly pairs: number
  readonly n: number
  /** Tasks that were left out because a run of them failed for no fault of a harness. */
  readonly masked: number
  /** How far below 0 the bounds of reward may lie. */
  readonly margin: number
  /** Chance of a wrong promotion at which it was decided: 0.1, less in a batch. */
  readonly level: number
  /** Smallest level at which every bound holds; the means may still forbid it. */
  readonly p: number
  readonly rewards: { readonly challenger: number; readonly champion: number; readonly anchor: number } | null
  readonly reward: Comparison
  readonly rewardToAnchor: Comparison
  /** Of logarithms: -0.105 is a tenth cheaper. */
  readonly usd: Comparison
  readonly ms: Comparison
  readonly gains: readonly Gain[]
}

/** What was decided, with its numbers, and its reason in words. */
export interface RaceDecision {
  readonly rule: 'conservative'
  readonly ruleVersion: number
  readonly verdict: RaceVerdict
  readonly reason: string
  readonly numbers: RaceNumbers
  /** Whether the champion of this race becomes the anchor. */
  readonly anchor: AnchorVerdict
}

/**
 * Decides a race, once: promotes iff the lower bound of the difference in reward is not below the margin against the champion
 * and against the anchor, neither mean difference is below 0, and reward, cost or time is better beyond its own bound.
 *
 * Before all n pairs are there it rejects where no result of the others could save the challenger, and decides nothing
 * otherwise: a race that is looked at again and again is won by chance.
 *
 * @param level - Chance of a wrong promotion. Default: 0.1, that is bounds of 90 %, one-sided.
 */
export function decideRace(race: Race, { level = RACE_LEVEL }: { readonly level?: number } = {}): RaceDecision {
  const measured = measuredTasks(race)
  const tasks = measured.slice(0, race.n)
  const masked = race.tasks.length - measured.length
  const numbers = { ...measureTasks(tasks, race.n, level), masked }
  const verdict = verdictOf(race, tasks, numbers)
  return {
    rule: 'conservative',
    ruleVersion: RULE_VERSION,
    verdict,
    reason: reasonOfRace(verdict, numbers),
    numbers,
    anchor: decideAnchor({ pairs: tasks, isFirst: race.isFirstOfChampion === true && tasks.length === race.n }),
  }
}

function verdictOf(race: Race, tasks: readonly RaceTask[], { p, level }: RaceNumbers): RaceVerdict {
  if (tasks.length < race.n) return isLost(tasks, race.n) ? 'reject' : 'incomplete'
  if (p > level || !isNoWorse(tasks)) return 'reject'
  return tasks.some(isJudged) ? 'nominate' : 'promote'
}

/** Whether neither mean difference is below 0. */
function isNoWorse(tasks: readonly RaceTask[]): boolean {
  return leadOf(tasks, 'champion') >= 0 && leadOf(tasks, 'anchor') >= 0
}

/** Whether the means stay below 0 even if every pair to come is won by 1. */
function isLost(tasks: readonly RaceTask[], n: number): boolean {
  const toCome = n - tasks.length
  return leadOf(tasks, 'champion') + toCome < 0 || leadOf(tasks, 'anchor') + toCome < 0
}

/** Sum of the differences; what a subtraction of equal rewards leaves is no difference. */
function leadOf(tasks: readonly RaceTask[], other: 'champion' | 'anchor'): number {
  const lead = tasks.reduce((sum, task) => sum + Number(task.challenger.reward) - Number(task[other].reward), 0)
  return Math.abs(lead) < 1e-12 * tasks.length ? 0 : lead
}

function isJudged({ challenger, champion, anchor }: RaceTask): boolean {
  return [challenger, champion, anchor].some(({ rewardKind }) => rewardKind === 'judge')
}

function measureTasks(tasks: readonly RaceTask[], n: number, level: number): Omit<RaceNumbers, 'masked'> {
  const [toChampion, toAnchor] = [rewardDifference(tasks, 'champion'), rewardDifference(tasks, 'anchor')]
  const [usd, ms] = [logDifference(tasks, 'usd'), logDifference(tasks, 'ms')]
  const margin = marginOf(n)
  const gainPs = { reward: pValueAbove(toChampion, 0), usd: pValueLess(usd), ms: pValueLess(ms) }
  const worstP = Math.max(pValueAbove(toChampion, -margin), pValueAbove(toAnchor, -margin))
  const confidence = 1 - level
  return {
    pairs: tasks.length,
    n,
    margin,
    level,
    p: Math.max(worstP, Math.min(...Object.values(gainPs))),
    rewards: tasks.length === 0 ? null : meanRewards(tasks),
    reward: comparisonOf(toChampion, confidence),
    rewardToAnchor: comparisonOf(toAnchor, confidence),
    usd: comparisonOf(usd, confidence),
    ms: comparisonOf(ms, confidence),
    gains: (['reward', 'usd', 'ms'] as const).filter((gain) => gainPs[gain] <= level),
  }
}

function meanRewards(tasks: readonly RaceTask[]): NonNullable<RaceNumbers['rewards']> {
  const of = (who: 'challenger' | 'champion' | 'anchor'): number =>
    tasks.reduce((sum, task) => sum + Number(task[who].reward), 0) / tasks.length
  return { challenger: of('challenger'), champion: of('champion'), anchor: of('anchor') }
}
