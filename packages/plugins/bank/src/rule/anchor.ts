import { type Pair, pairedDifference } from '../statistics/paired.js'
import { type Comparison, comparisonOf } from './comparison.js'
import type { RaceRun } from './race.js'
import { ANCHOR_CONFIDENCE, LEAST_ANCHOR_PAIRS } from './settings.js'

/** Whether a champion becomes the anchor. */
export interface AnchorVerdict {
  readonly isReplaced: boolean
  readonly reason: string
  /** Rewards of the champion less those of the anchor, with one-sided bounds of 99 %. */
  readonly reward: Comparison
}

/** A champion and an anchor on the same tasks, both run afresh after the champion was promoted. */
export interface AnchorInput {
  readonly pairs: readonly { readonly champion: RaceRun; readonly anchor: RaceRun }[]
  /** Whether this champion was not compared for the place of the anchor before. */
  readonly isFirst: boolean
}

/**
 * The anchor is a harness that is run again in every race. It is replaced only by a champion whose paired rewards are above its
 * own, by a one-sided bound of 99 %, on 40 pairs or more.
 *
 * It is decided once for each champion, in the first race that it defends, never in the one that promoted it: that one was
 * selected for its luck, and thirty challengers would be thirty chances.
 */
export function decideAnchor({ pairs, isFirst }: AnchorInput): AnchorVerdict {
  const counted = pairs.filter(
    ({ champion, anchor }) => champion !== anchor && champion.reward !== null && anchor.reward !== null,
  )
  const rewards = counted.map(({ champion, anchor }): Pair => [Number(champion.reward), Number(anchor.reward)])
  const reward = comparisonOf(pairedDifference(rewards), ANCHOR_CONFIDENCE)
  const whyNot = whyKept(reward, isFirst)
  const reason = whyNot ?? `the champion is better than the anchor by at least ${reward.lower?.toFixed(3)} (99 %)`
  return { isReplaced: whyNot === undefined, reason, reward }
}

function whyKept({ n, lower }: Comparison, isFirst: boolean): string | undefined {
  if (n === 0) return 'champion and anchor are the same harness, or were not run together'
  if (!isFirst) return 'this champion was compared with the anchor before'
  if (n < LEAST_ANCHOR_PAIRS) return `${n} pairs, and an anchor is replaced on ${LEAST_ANCHOR_PAIRS} or more`
  if (lower === null) return 'the difference between champion and anchor is not known'
  return lower > 0 ? undefined : `the champion is not above the anchor: the bound of 99 % is ${lower.toFixed(3)}`
}
