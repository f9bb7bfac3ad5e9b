import type { Goal, GoalStatus, Plan, Step, SubRun } from '@harnesswright/core'
import { isSameInstruction } from './delegation.js'

/** How a sub-agent came back: with a result, with notes on what keeps it, or at a limit. */
type Outcome = 'done' | 'blocked' | 'exhausted'

/** One delegation that is over. */
export interface Result {
  /** Number of the delegation in the run, from 1. */
  readonly number: string
  readonly instruction: string
  readonly outcome: Outcome
  /** What the sub-agent said. */
  readonly content: string
}

/** The results of the delegations of a step, in their order. */
export function resultsOf({ action, observations }: Step): readonly Result[] {
  if (action.kind !== 'spawn') return []
  return action.runs.flatMap(({ id, callId = id, task }: SubRun): Result[] => {
    const observation = observations.find((one) => one.callId === callId)
    if (observation === undefined) return []
    const { status } = (observation.data ?? {}) as { readonly status?: string } // of the child run, where one was started
    const outcome = observation.ok ? 'done' : status === 'limit' ? 'exhausted' : 'blocked'
    return [{ number: id, instruction: task.instruction, outcome, content: observation.content }]
  })
}

const STATUS: Readonly<Record<Outcome, GoalStatus>> = { done: 'done', blocked: 'failed', exhausted: 'failed' }

/** What was delegated so far as a plan: one goal for each instruction, with the outcome of its last try. */
export function delegatedPlan(history: readonly Step[]): Plan {
  const goals: Goal[] = []
  for (const { number, instruction, outcome } of history.flatMap(resultsOf)) {
    const at = goals.findIndex(({ text }) => isSameInstruction(text, instruction))
    const id = goals[at]?.id ?? number
    goals.splice(at < 0 ? goals.length : at, 1, { id, text: instruction, status: STATUS[outcome] })
  }
  return { goals }
}

const CITED = /\[Result (\d{1,6})\]/g

/** The heading under which a result can be cited. */
export function headingOf({ number }: Pick<Result, 'number'>): string {
  return `[Result ${number}]`
}

/** Numbers of the results that a text cites, each once. */
export function citedIn(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(CITED), ([, number = '']) => number))]
}
