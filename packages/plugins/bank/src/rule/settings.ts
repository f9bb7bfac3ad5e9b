/** Version of the rule: stored with every decision. */
export const RULE_VERSION = 1

/** Pairs of a race that says nothing else. */
export const DEFAULT_RACE_PAIRS = 20

/** Largest chance of a wrong promotion of one race: its bounds are one-sided, of 90 %. */
export const RACE_LEVEL = 0.1

/** One-sided confidence with which a new anchor has to be better than the old one. */
export const ANCHOR_CONFIDENCE = 0.99

/** Fewest pairs on which an anchor is replaced. */
export const LEAST_ANCHOR_PAIRS = 40

/** Most races of a cluster in seven days at {@link RACE_LEVEL}. */
export const RACES_PER_WEEK = 10

/** Fewest paired tasks on which a challenger is screened before it races. */
export const LEAST_SCREEN_PAIRS = 3

/**
 * How much worse in reward the lower bound may be, for a challenger that is no worse by its mean: 0.10 at 20 pairs, and less
 * with more pairs, for a margin that stayed would be spent by each challenger of a chain.
 *
 * @param n - Pairs of the race.
 */
export function marginOf(n: number): number {
  return 0.1 * Math.sqrt(20 / n)
}
