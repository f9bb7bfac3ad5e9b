import type { Directive, Goal, Plan } from '@harnesswright/core'

/**
 * The goals that are worked on now. Those that wait for nothing and that the directive names; where it names none, those
 * that are active, else the first that waits for nothing.
 *
 * @returns None where there is no plan, or every goal of it is settled.
 */
export function currentGoals({ plan, text }: Directive): readonly Goal[] {
  const ready = plan === undefined ? [] : readyGoals(plan)
  const named = ready.filter((goal) => text.includes(goal.text))
  if (named.length > 0) return named
  const active = ready.filter(({ status }) => status === 'active')
  return active.length > 0 ? active : ready.slice(0, 1)
}

/** Goals that are not settled and come after the current ones in the plan, at most so many. */
export function goalsAhead({ plan }: Directive, current: readonly Goal[], count: number): readonly Goal[] {
  const ids = new Set(current.map(({ id }) => id))
  const open = (plan?.goals ?? []).filter(isOpen)
  const last = open.findLastIndex(({ id }) => ids.has(id))
  return open.slice(last + 1, last + 1 + count)
}

function isOpen({ status }: Goal): boolean {
  return status === 'open' || status === 'active'
}

/** Goals that are not settled, and whose predecessors are. */
function readyGoals({ goals }: Plan): readonly Goal[] {
  const open = goals.filter(isOpen)
  const waitedFor = new Set(open.map(({ id }) => id))
  const ready = open.filter(({ dependsOn = [] }) => !dependsOn.some((id) => waitedFor.has(id)))
  return ready.length > 0 ? ready : open // goals that wait for each other in a circle
}
