import type { CallAction, Message, Observation, Question, SpawnAction, ToolCall } from '@harnesswright/protocol'
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
  const guarded = guardCalls(run, action, before, action.calls)
  const prepared = guarded instanceof Promise ? await guarded : guarded
  const questions = questionsOf(prepared)
  if (questions.length > 0) return await waitFor(run, prepared, questions)
  const open = openCalls(prepared)
  if (open.length > 0) await performOpen(run, action, before, { prepared, open })
  const settled = settleCalls(run, prepared)
  return outcomeOfCalls(run, action, prepared, settled instanceof Promise ? await settled : settled)
}

/** Phase 3. */
function makeDurable(
  run: RunState,
  action: CallAction,
  before: readonly Message[],
  prepared: readonly PreparedCall[],
): Promise<void> | undefined {
  if (pendingOf(run)?.isGuarded === true) return undefined
  return checkpoint(run, { effect: { ...beginning(run, action, before), ...guardedPart(run, prepared) } })
}

/** Phases 3 and 4. */
function performOpen(
  run: RunState,
  action: CallAction,
  before: readonly Message[],
  { prepared, open }: { readonly prepared: readonly PreparedCall[]; readonly open: readonly PreparedCall[] },
): Promise<void> {
  const kept = makeDurable(run, action, before, prepared)
  const make = (): Promise<void> => makeCalls(run, open, isTogether(action, open))
  return kept === undefined ? make() : kept.then(make)
}

function outcomeOfCalls(
  run: RunState,
  action: CallAction,
  prepared: readonly PreparedCall[],
  observations: readonly Observation[],
): Outcome {
  const limit = limitOfCalls(run, prepared)
  return { observations, ...stuckOn(run, action, observations), ...(limit && { limit }) }
}

/**
 * Phases 1 and 2. A guard may ask a person, and then the run waits before phase 2: what it goes on from is durable before the
 * guards.
 */
export function guardCalls(
  run: RunState,
  action: CallAction | SpawnAction,
  before: readonly Message[],
  calls: readonly ToolCall[],
): ReturnType<typeof prepareCalls> {
  const mayAsk = run.harness.hooks.toolCall.taps.length > 0 && pendingOf(run) === undefined
  const kept = mayAsk ? checkpoint(run, { effect: beginning(run, action, before) }) : undefined
  return kept === undefined ? prepareCalls(run, calls) : kept.then(() => prepareCalls(run, calls))
}

/** Questions to a person whom nobody can ask now. */
export function questionsOf(prepared: readonly PreparedCall[]): readonly Question[] {
  return prepared.flatMap(({ question }) => question ?? [])
}

/** The run waits for the leave of a person. States stay as before the guards. */
export async function waitFor(
  run: RunState,
  prepared: readonly PreparedCall[],
  questions: readonly Question[],
): Promise<Outcome> {
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
