import { holm } from '../statistics/holm.js'
import { decideRace, type RaceDecision } from './decide-race.js'
import type { Race } from './race.js'
import { RACE_LEVEL } from './settings.js'

/**
 * Decides races of one cell that are run together, with Holm's correction: the chance that any of them is promoted wrongly
 * is that of a single race. Of several that would be promoted the best one is: by reward, then cost, then time.
 *
 * @returns A decision for each race, in their order.
 */
export function decideBatch(races: readonly Race[]): readonly RaceDecision[] {
  const alone = races.map((race) => decideRace(race))
  const verdicts = holm(
    alone.map(({ numbers }) => numbers.p),
    RACE_LEVEL,
  )
  const decided = races.map((race, index) => {
    const { level = RACE_LEVEL, isRejected = false } = verdicts[index] ?? {}
    const decision = decideRace(race, { level })
    return isRejected || !isWon(decision) ? decision : lost(decision, 'an easier comparison of its batch did not hold')
  })
  const [best] = decided.filter(isWon).sort(betterFirst)
  return decided.map((decision) =>
    decision === best || !isWon(decision) ? decision : lost(decision, 'another challenger of its batch did better'),
  )
}

function isWon({ verdict }: RaceDecision): boolean {
  return verdict === 'promote' || verdict === 'nominate'
}

function lost(decision: RaceDecision, why: string): RaceDecision {
  return { ...decision, verdict: 'reject', reason: `${decision.reason}; but ${why}` }
}

function betterFirst({ numbers: a }: RaceDecision, { numbers: b }: RaceDecision): number {
  const unknownLast = (value: number | null): number => value ?? Number.MAX_VALUE
  return (
    (b.reward.mean ?? 0) - (a.reward.mean ?? 0) ||
    unknownLast(a.usd.mean) - unknownLast(b.usd.mean) ||
    unknownLast(a.ms.mean) - unknownLast(b.ms.mean)
  )
}
