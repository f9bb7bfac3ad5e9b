import { readEntries } from '../entries.js'
import type { Mind } from '../mind.js'
import { FORMS } from '../profiles.js'
import type { Slots } from '../slots.js'

/**
 * What research over a memory asks for and says: names to look for, entries to open or cite, and whether it is enough.
 *
 * It is enough when nothing that stands in view is missed, or nothing is open.
 */
export function research(mind: Mind): Pick<Slots, 'queries' | 'entryIds' | 'isDone'> {
  const { held, known, sight } = mind
  const pages = readEntries(sight.messages).map(({ first }) => first)
  const isMissed = sight.claims.some((claim) => !known.has(claim.key) && sight.problem.matters(claim, known))
  return {
    queries: [...new Set(sight.problem.keywords(held, known))],
    entryIds: pages.slice(-FORMS.looksAtOnce),
    isDone: held.length === 0 || !isMissed,
  }
}
