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
  const last = Math.max(0, ...goals.map(visitOf))
  const badgeOf = (visit: number, known: Known): string | undefined => known.get(`badge:${nameOf(visit, known) ?? ''}`)
  return {
    goals,
    isCounted: false,
    stateOf(goal, known): GoalState {
      const visit = visitOf(goal)
      const isMade = isWhole && visit === last ? badgeOf(last, known) !== undefined : isPassed(visit, { last, known })
      if (isMade) return 'done'
      return nameOf(visit, known) === undefined ? 'waiting' : 'ready'
    },
    needs: (goal) => goals.filter((other) => visitOf(other) === visitOf(goal) - 1),
    intent: (goal, known) => ({ verb: 'read', path: known.get(goal.id)?.split('|')[1] ?? '' }),
    outcome: () => undefined,
    matters({ key }, known) {
      if (key.startsWith('badge:')) return key === `badge:${nameOf(last, known) ?? ''}`
      return key === `visit:${last}` || key === `visit:${furthest(known, isWhole ? last : last + 1)}`
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

/** True when somebody is known whom only this visit leads to: the next, or one further on. */
function isPassed(visit: number, { last, known }: { readonly last: number; readonly known: Known }): boolean {
  for (let next = visit + 1; next <= Math.max(last, visit + 1); next++) if (known.has(`visit:${next}`)) return true
  return false
}

function furthest(known: Known, last: number): number {
  for (let visit = last; visit > 1; visit--) if (known.has(`visit:${visit}`)) return visit
  return 1
}

/** Who comes after the person of a visit is the person of the next one. */
function readVisits(claims: readonly Claim[], last: number): ReadonlyMap<string, string> {
  const values = new Map(claims.map(({ key, value }) => [key, value]))
  const meanings = new Map<string, string>()
  for (let visit = 1; visit <= last; visit++) {
    const name = nameOf(visit, values)
    const after = `after:${name ?? ''}`
    const next = values.get(after)
    if (next === undefined || meanings.has(after)) continue
    meanings.set(after, `visit:${visit + 1}`)
    if (!values.has(`visit:${visit + 1}`)) values.set(`visit:${visit + 1}`, next)
  }
  return meanings
}
