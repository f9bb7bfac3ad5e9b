import type { Goal, GoalPath, Plan } from '@harnesswright/core'
import type { NamedGoal } from './plan-format.js'

/**
 * A plan from the goals that a model named: ids are distinct, and goals wait only for goals that exist, never in a circle. A
 * path that says no more than its goal is left out.
 *
 * @param named - In the order of the reply; of what would close a circle, the part that was named last is left out.
 */
export function toPlan(named: readonly NamedGoal[]): Plan {
  const ids = distinctIds(named)
  const edges = new Map<string, string[]>(ids.map((id) => [id, []]))
  for (const [index, { dependsOn }] of named.entries()) {
    const id = ids[index] as string // one for each goal
    for (const other of new Set(dependsOn))
      if (edges.has(other) && !leadsTo(other, id, edges)) edges.get(id)?.push(other)
  }
  return { goals: named.map((goal, index) => createGoal(ids[index] as string, goal, edges)) }
}

/** The ids that the model gave; where one is missing or there already, a number that is free. */
function distinctIds(named: readonly NamedGoal[]): readonly string[] {
  const given = new Set(named.map(({ id }) => id))
  const ids = new Set<string>()
  for (const { id } of named) {
    let fresh = id
    for (let number = ids.size + 1; fresh === '' || ids.has(fresh); number++)
      if (!given.has(`${number}`) && !ids.has(`${number}`)) fresh = `${number}`
    ids.add(fresh)
  }
  return [...ids]
}

/** True when waiting for one goal is, by way of others or at once, waiting for another. */
function leadsTo(from: string, to: string, edges: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set([from])
  for (const id of seen) for (const next of edges.get(id) ?? []) seen.add(next) // a set is walked with what is added on the way
  return seen.has(to)
}

function createGoal(id: string, { text, paths }: NamedGoal, edges: ReadonlyMap<string, readonly string[]>): Goal {
  const dependsOn = edges.get(id) ?? []
  const ways = [...new Set(paths)].filter((path) => path !== text)
  return {
    id,
    text,
    status: 'open',
    ...(dependsOn.length === 0 ? {} : { dependsOn }),
    ...(ways.length === 0 ? {} : { paths: ways.map((way): GoalPath => ({ text: way, status: 'open' })) }),
  }
}

/** True when nothing is left to do for a goal. */
export function isSettled({ status }: Goal): boolean {
  return status === 'done' || status === 'failed'
}

/** Goals that can be worked on at once: not settled, and none that they wait for is unsettled. */
export function readyGoals({ goals }: Plan): readonly Goal[] {
  const open = new Set(goals.filter((goal) => !isSettled(goal)).map(({ id }) => id))
  return goals.filter(({ id, dependsOn = [] }) => open.has(id) && !dependsOn.some((other) => open.has(other)))
}

/** Goals that wait for others. */
export function waitingGoals(plan: Plan): readonly Goal[] {
  const ready = readyGoals(plan)
  return plan.goals.filter((goal) => !isSettled(goal) && !ready.includes(goal))
}

/** The way in which a goal is tried now: the first that neither failed nor led to it. */
export function currentPath({ paths = [] }: Goal): GoalPath | undefined {
  return paths.find(({ status }) => status === 'open' || status === 'active')
}
