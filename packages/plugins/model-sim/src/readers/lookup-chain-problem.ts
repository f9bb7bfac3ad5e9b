import type { Claim, Goal, GoalState, Known, Problem } from '../reader.js'

/** The goal of making that visit. */
export function toVisitGoal(visit: number): Goal {
  return { id: `visit:${visit}` }
}

/** The number of a visit. */
export function visitOf({ id }: Goal): number {
  return Number(id.slice('visit:'.length))
}

/** The problem of a chain: a visit can be made when it is known who it is, which the visit before tells. */
export function createChainProblem(goals: readonly Goal[], isWhole: boolean): Problem {
  const byVisit = new Map(goals.map((goal) => [visitOf(goal), goal]))
  const last = goals.reduce((most, goal) => Math.max(most, visitOf(goal)), 0)
  const badgeOf = (visit: number, known: Known): string | undefined => known.get(`badge:${nameOf(visit, known) ?? ''}`)
  let furthest: { readonly of: Known; readonly visit: number } | undefined
  const furthestOf = (known: Known): number => {
    if (furthest?.of !== known) furthest = { of: known, visit: furthestVisit(known, last) } // asked for every goal
    return furthest.visit
  }
  /** True when somebody is known whom only this visit leads to: the next, or one further on. */
  const isPassed = (visit: number, known: Known): boolean =>
    furthestOf(known) > visit || known.has(`visit:${visit + 1}`)
  return {
    goals,
    isCounted: false,
    isRow: true,
    stateOf(goal, known): GoalState {
      const visit = visitOf(goal)
      const isMade = isWhole && visit === last ? badgeOf(last, known) !== undefined : isPassed(visit, known)
      if (isMade) return 'done'
      return nameOf(visit, known) === undefined ? 'waiting' : 'ready'
    },
    needs: (goal) => [byVisit.get(visitOf(goal) - 1) ?? []].flat(),
    intent: (goal, known) => ({ verb: 'read', path: known.get(goal.id)?.split('|')[1] ?? '' }),
    outcome: () => undefined,
    matters({ key }, known) {
      if (key.startsWith('badge:')) return key === `badge:${nameOf(last, known) ?? ''}`
      const after = `visit:${last + 1}`
      const isAfter = !isWhole && known.has(after)
      return key === `visit:${last}` || key === (isAfter ? after : `visit:${furthestOf(known)}`)
    },
    meanings: (claims) => readVisits(claims, last),
    needed: (asked, known) => asked.map(({ id }) => id).filter((id) => known.has(id)),
    keywords: (asked, known) => asked.flatMap((goal) => [`visit ${visitOf(goal)}`, ...names(visitOf(goal), known)]),
    answer: (known) => (isWhole ? answerBadge(goals, known) : undefined),
    claimsOf: () => undefined,
  }

  function answerBadge(asked: readonly Goal[], known: Known): string {
    const told = asked.findLast((goal) => badgeOf(visitOf(goal), known) !== undefined)
    if (told === undefined) return 'No badge is known.'
    return `The badge of visit ${visitOf(told)} is ${badgeOf(visitOf(told), known)}.`
  }
}

function nameOf(visit: number, known: Known): string | undefined {
  return known.get(`visit:${visit}`)?.split('|', 1)[0]
}

function names(visit: number, known: Known): readonly string[] {
  const name = nameOf(visit, known)
  return name === undefined ? [] : [name]
}

/** The furthest visit of which it is known who it is, up to the last; 0 where none is. */
function furthestVisit(known: Known, last: number): number {
  return visitsIn(known.keys()).reduce((most, visit) => (visit > most && visit <= last ? visit : most), 0)
}

function visitsIn(keys: Iterable<string>): readonly number[] {
  return [...keys].flatMap((key) => (key.startsWith('visit:') ? [Number(key.slice('visit:'.length))] : []))
}

/** Who comes after the person of a visit is the person of the next one, link by link, up to the one behind the last. */
function readVisits(claims: readonly Claim[], last: number): ReadonlyMap<string, string> {
  const values = new Map(claims.map(({ key, value }) => [key, value]))
  const meanings = new Map<string, string>()
  for (let visit of visitsIn(values.keys()).toSorted((one, other) => one - other)) {
    while (visit <= last) {
      const after = `after:${nameOf(visit, values) ?? ''}`
      const next = values.get(after)
      if (next === undefined || meanings.has(after)) break
      visit++
      meanings.set(after, `visit:${visit}`)
      if (values.has(`visit:${visit}`)) break
      values.set(`visit:${visit}`, next)
    }
  }
  return meanings
}
