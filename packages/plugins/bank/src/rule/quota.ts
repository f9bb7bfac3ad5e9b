import { RACES_PER_WEEK } from './settings.js'

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
