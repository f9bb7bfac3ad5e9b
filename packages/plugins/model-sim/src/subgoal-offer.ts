import type { Tool } from '@harnesswright/core'
import { isSubgoal } from './affordance.js'
import { goalsAtOnce } from './atomic.js'
import type { Mind } from './mind.js'
import type { WantedCall } from './options.js'
import { group } from './plan.js'
import type { Goal } from './reader.js'

/**
 * The next sub-goal, named with the tool that takes it: as many open goals as can be worked on in one go. Undefined where no
 * tool takes one, while a goal of the last one is open, and where it is let pass, at the rate of folds.
 */
export function nameSubgoal(mind: Mind, tools: readonly Tool[]): WantedCall | undefined {
  const { held, sight, dice, profile } = mind
  const tool = tools.find(isSubgoal)
  const goals = tool === undefined ? [] : nextGoals(mind)
  if (tool === undefined || goals.length === 0) return undefined
  const last = sight.calls.findLast(({ name, failed }) => name === tool.name && !failed)
  const named = last === undefined ? [] : sight.reader.mentions(last.arguments).flatMap((mention) => mention.goals)
  const current = new Set([...named, ...sight.directed].map(({ id }) => id))
  if (held.some(({ id }) => current.has(id)) || dice.roll('subgoal') >= profile.fold) return undefined
  return { name: tool.name, arguments: JSON.stringify({ goal: sight.reader.word(goals) }) }
}

/** The first open goals of one kind, the deliverable only when nothing else is left. */
function nextGoals(mind: Mind): readonly Goal[] {
  const pending = mind.held.filter(({ isFinal }) => isFinal !== true)
  const goals = pending.length > 0 ? pending : mind.held
  const [first = []] = group(goals, Math.max(1, Math.ceil(goals.length / goalsAtOnce(mind))))
  return first
}
