import type { DecisionEntry } from '../log/entry.js'
import { LEAST_ANCHOR_PAIRS, RACES_PER_WEEK } from './settings.js'

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000

/**
 * How many more races a cluster may have now: at most ten in any seven days, for each has its chance of a wrong promotion.
 *
 * @param racedAt - When races of the cluster were decided, in ms since 1970.
 * @param now - The time, in ms since 1970.
 */
export function racesLeft(racedAt: readonly number[], now: number): number {
  return Math.max(0, RACES_PER_WEEK - racedAt.filter((at) => at > now - WEEK_MS).length)
}

/** Whether a champion was in a race of 40 pairs or more since it was promoted: it tries for the place of the anchor once. */
export function wasRacedSince(
  { harnessId, since }: { readonly harnessId: string; readonly since: number },
  decisions: readonly DecisionEntry[],
): boolean {
  const pairsOf = ({ numbers }: DecisionEntry): number =>
    Number((numbers as { readonly pairs?: unknown } | null)?.pairs)
  return decisions.some(
    (decision) => decision.championId === harnessId && decision.at >= since && pairsOf(decision) >= LEAST_ANCHOR_PAIRS,
  )
}
