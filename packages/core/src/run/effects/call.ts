import type { CallAction, Message } from '@harnesswright/protocol'
import type { PreparedCall } from '../../tools/prepare.js'
import { checkpoint, keep } from '../checkpoint.js'
import type { RunState } from '../run-state.js'
import { questionId } from './ask.js'
import { guardedPart, makeCalls, openCalls, prepareCalls, settleCalls } from './calls.js'
import { beginning, type Outcome, pendingOf } from './effect.js'
import { stuckOn } from './stuck.js'

/**
 * `call`, in five phases, so that a crash at any point loses nothing and repeats nothing:
 * (1) guards, in call order; (2) tools that modules bring, one after another; (3) states are made durable;
 * (4) tools of the environment, at once or in series; (5) `toolResult`, in call order, then the observations are final.
 */
export async function performCall(run: RunState, action: CallAction, before: readonly Message[]): Promise<Outcome> {
  await beforeGuards(run, action, before)
  const prepared = await prepareCalls(run, action.calls)
  const waiting = await waitFor(run, prepared)
  if (waiting !== undefined) return waiting
  const open = openCalls(prepared)
  if (open.length > 0 && pendingOf(run)?.isGuarded !== true)
    await checkpoint(run, { effect: { ...beginning(run, action, before), ...guardedPart(run, prepared) } })
  await makeCalls(run, open, isTogether(action, open))
  const observations = await settleCalls(run, prepared)
  const limit = limitOfCalls(run, prepared)
  return { observations, ...stuckOn(run, action, observations), ...(limit && { limit }) }
}

/** A guard may ask a person, and then the run waits before phase 2: what it goes on from is durable before the guards. */
export async function beforeGuards(
  run: RunState,
  action: Parameters<typeof beginning>[1],
  before: readonly Message[],
): Promise<void> {
  if (run.harness.hooks.toolCall.taps.length === 0 || pendingOf(run) !== undefined) return
  await checkpoint(run, { effect: beginning(run, action, before) })
}

/** What the run waits for, if a call needs the leave of a person whom nobody can ask now. States stay as before the guards. */
export async function waitFor(run: RunState, prepared: readonly PreparedCall[]): Promise<Outcome | undefined> {
  const questions = prepared.flatMap(({ question }) => question ?? [])
  if (questions.length === 0) return undefined
  const ids = prepared.map((_, place) => questionId(run, place))
  const given = Object.fromEntries(Object.entries(run.tree.answers).filter(([id]) => ids.includes(id)))
  await keep(run, { effect: { questions, answers: { ...pendingOf(run)?.answers, ...given } } })
  return { observations: [], questions }
}

/** A limit that a call ran into, now or before the run was interrupted. */
export function limitOfCalls(run: RunState, prepared: readonly PreparedCall[]): string | undefined {
  return prepared.find((one) => one.limit !== undefined)?.limit ?? pendingOf(run)?.limit
}

/** Whether calls are made at once: if all are of tools that only read, unless the action says otherwise. */
function isTogether({ mode }: CallAction, open: readonly PreparedCall[]): boolean {
  return mode === undefined ? open.every(({ tool }) => tool?.readOnly === true) : mode === 'parallel'
}
