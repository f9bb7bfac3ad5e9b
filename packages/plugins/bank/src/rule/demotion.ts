import { pairedDifference } from '../statistics/paired.js'
import { type Comparison, comparisonOf } from './comparison.js'
import type { RaceRun } from './race.js'
import { DEFAULT_RACE_PAIRS, RACE_LEVEL, RULE_VERSION } from './settings.js'

/** Whether a champion has to go. */
export interface DemotionDecision {
  readonly rule: 'demotion'
  readonly ruleVersion: number
  readonly verdict: 'demote' | 'keep'
  readonly reason: string
  /** Rewards of the champion less those of the anchor. */
  readonly numbers: { readonly reward: Comparison }
}

/**
 * Demotes a champion that has become worse than the anchor: where the upper bound of its paired rewards over those of the
 * anchor is below 0, one-sided 90 %, on 20 pairs or more. The race of the cell is open again, and the anchor, which stands in
 * for the champion, is measured first.
 */
export function decideDemotion(
  pairs: readonly { readonly champion: RaceRun; readonly anchor: RaceRun }[],
): DemotionDecision {
  const counted = pairs.flatMap(({ champion, anchor }): (readonly [number, number])[] =>
    champion.reward === null || anchor.reward === null ? [] : [[champion.reward, anchor.reward]],
  )
  const reward = comparisonOf(pairedDifference(counted), 1 - RACE_LEVEL)
  const reason = whyKept(reward)
  return {
    rule: 'demotion',
    ruleVersion: RULE_VERSION,
    verdict: reason === undefined ? 'demote' : 'keep',
    reason:
      reason ??
      `worse than the anchor by at least ${Math.abs(reward.upper ?? 0).toFixed(3)} (90 %) on ${reward.n} pairs`,
    numbers: { reward },
  }
}

function whyKept({ n, upper }: Comparison): string | undefined {
  if (n < DEFAULT_RACE_PAIRS) return `${n} pairs, and a champion is demoted on ${DEFAULT_RACE_PAIRS} or more`
  if (upper === null || upper >= 0) return `not worse than the anchor beyond chance on ${n} pairs`
  return undefined
}
