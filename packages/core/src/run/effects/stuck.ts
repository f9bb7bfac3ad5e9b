import type { CallAction, Observation, Step } from '@harnesswright/protocol'
import type { RunState } from '../run-state.js'

/** Steps in a row of which no call could be read, before the run is ended with a forced answer. */
const MAX_UNREADABLE = 3

/** What the model is told when it repeats itself. */
const REPEATED = 'The last calls were the same, with the same result. Do something else, or give the answer.'

/**
 * What to do about a model that does not get on: calls that cannot be read end the run; a call that is made again and again
 * with the same arguments and result is told once, at `limits.repeats`, and ends the run as `loop` at the next time.
 * Read from the trajectory, so that a run that goes on from a snapshot knows it too.
 */
export function stuckOn(
  run: RunState,
  action: CallAction,
  observations: readonly Observation[],
): { limit?: string; feedback?: string } {
  const repeats = Math.max(2, run.limits.repeats)
  const steps = [...run.steps.slice(-Math.max(repeats, MAX_UNREADABLE)), { action, observations }]
  const unread = steps.slice(-MAX_UNREADABLE).filter(({ action: one }) => {
    return one.kind === 'call' && one.calls.every((call) => run.brokenArguments.has(call.id))
  })
  if (unread.length === MAX_UNREADABLE) return { limit: 'malformed' }
  const same = rowOf(steps.slice(-repeats - 1))
  if (same < repeats) return {}
  // The row was long enough before this step: the model was told, and did the same again.
  return same - action.calls.length >= repeats ? { limit: 'loop' } : { feedback: REPEATED }
}

type Done = Pick<Step, 'action' | 'observations'>

/** How many calls at the end are the same. */
function rowOf(steps: readonly Done[]): number {
  let row = 0
  let last: readonly unknown[] | undefined
  for (const step of steps.toReversed()) {
    for (const mark of marksOf(step).toReversed()) {
      last ??= mark
      if (mark.some((part, index) => part !== last?.[index])) return row
      row++
    }
  }
  return row
}

/** What is the same for calls of the same tool, arguments and result, for each call of a step. */
function marksOf({ action, observations }: Done): readonly (readonly unknown[])[] {
  if (action.kind !== 'call') return [[action.kind]]
  return action.calls.map(({ id, name, arguments: text }) => {
    return [name, text, observations.find((observation) => observation.callId === id)?.content]
  })
}
