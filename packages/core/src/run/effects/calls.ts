import { mapConcurrently, type Observation, type PendingEffect, type ToolCall } from '@harnesswright/protocol'
import { invokeTool } from '../../tools/invoke.js'
import { failedObservation, finalObservation } from '../../tools/observation.js'
import { isYes, type PreparedCall, prepareCall, preparedBefore } from '../../tools/prepare.js'
import { checkpoint } from '../checkpoint.js'
import type { RunState } from '../run-state.js'
import { askPerson, questionId } from './ask.js'
import { pendingOf } from './effect.js'

type Prepared = readonly PreparedCall[]

/**
 * Phases 1 and 2: guards, in call order, then tools that modules bring, one after another. Done before in an effect that goes
 * on. A promise only where there is something to wait for.
 */
export function prepareCalls(run: RunState, calls: readonly ToolCall[]): Prepared | Promise<Prepared> {
  const prepared: PreparedCall[] = []
  for (const call of calls) {
    const one = prepareOne(run, call, prepared.length)
    if (one instanceof Promise) return prepareOthers(run, calls, prepared, one)
    prepared.push(one)
  }
  return prepared.some(isOfModule) ? makeOfModules(run, prepared) : prepared
}

function prepareOne(run: RunState, call: ToolCall, place: number): PreparedCall | Promise<PreparedCall> {
  const pending = pendingOf(run)
  return pending?.isGuarded === true ? preparedBefore(run, call, pending) : prepareCall(run, call, place)
}

/** Goes on after the first call that has to be waited for. */
async function prepareOthers(
  run: RunState,
  calls: readonly ToolCall[],
  prepared: PreparedCall[],
  first: Promise<PreparedCall>,
): Promise<Prepared> {
  prepared.push(await first)
  for (const call of calls.slice(prepared.length)) prepared.push(await prepareOne(run, call, prepared.length))
  return await makeOfModules(run, prepared)
}

/** Whether it is to be made in phase 2. */
function isOfModule({ tool, result }: PreparedCall): boolean {
  return tool?.owner !== undefined && result === undefined
}

/** Phase 2, unless a person is to be asked first. */
async function makeOfModules(run: RunState, prepared: Prepared): Promise<Prepared> {
  if (prepared.some(({ question }) => question !== undefined)) return prepared
  for (const one of prepared.filter(isOfModule)) {
    announce(run, one)
    await invokeTool(run, one)
  }
  return prepared
}

/** Calls of tools of the environment that are still to be made. */
export function openCalls(prepared: readonly PreparedCall[]): readonly PreparedCall[] {
  return prepared.filter(({ result }) => result === undefined)
}

/** What phases 1 and 2 have come to, to be made durable in phase 3. */
export function guardedPart(run: RunState, prepared: readonly PreparedCall[]): Partial<PendingEffect> {
  const results = prepared.flatMap((one) => {
    if (one.result === undefined) return []
    one.result = run.clean(one.result) // from here on the same one in the record and in memory
    return [[one.call.id, one.result] as const]
  })
  const limit = prepared.find((one) => one.limit !== undefined)?.limit
  return {
    isGuarded: true,
    modelCalls: run.turn.modelCalls.length,
    during: [...run.turn.notes],
    outcomes: Object.fromEntries(results),
    approved: prepared.filter(({ approved }) => approved).map(({ call }) => call.id),
    questions: [],
    ...(limit && { limit }),
  }
}

/** Phase 4: tools of the environment, at once or in series; each is marked when it starts, and its outcome is made durable. */
export function makeCalls(run: RunState, open: readonly PreparedCall[], together: boolean): Promise<void> {
  // All starts come before any end, in call order, so that the trace does not depend on how many run at once.
  for (const one of open) announce(run, one)
  return mapConcurrently(open, together ? run.limits.concurrency : 1, (one) => makeCall(run, one))
}

async function makeCall(run: RunState, one: PreparedCall): Promise<void> {
  await (isRepeatable(one) ? invokeTool(run, one) : makeOnce(run, one))
  one.result = run.clean(one.result as Observation)
  const kept = checkpoint(run, { outcome: one.result })
  if (kept !== undefined) await kept
}

/** A call that may not be made twice is marked when it starts. */
async function makeOnce(run: RunState, one: PreparedCall): Promise<void> {
  const unknown = pendingOf(run)?.started.includes(one.call.id) === true ? await unknownOutcome(run, one) : undefined
  if (unknown !== undefined) one.result = unknown
  else {
    await checkpoint(run, { started: one.call.id })
    await invokeTool(run, one)
  }
}

/** Whether a call that was under way when the run was interrupted can be made again without harm. */
function isRepeatable({ tool }: PreparedCall): boolean {
  return tool?.idempotent === true || tool?.readOnly === true
}

/** What becomes of a call that was under way when the run was interrupted: made again if a person says so. */
async function unknownOutcome(run: RunState, { call, approved }: PreparedCall): Promise<Observation | undefined> {
  const what = `it is not known whether ${call.name} was carried out: the run was interrupted while it was under way`
  if (approved) {
    const question = { id: `${questionId(run)}.${call.id}`, question: `${what}. Carry it out again?` }
    const answer = await askPerson(run, question)
    if (answer !== undefined && isYes(answer)) return undefined
  }
  return failedObservation(call, 'E_TOOL_UNKNOWN_OUTCOME', what)
}

function announce(run: RunState, { call }: PreparedCall): void {
  run.emit(() => ({ type: 'tool-start', callId: call.id, tool: call.name, arguments: call.arguments }))
}

/** Phase 5: `toolResult`, in call order, then the observations are final. */
export function settleCalls(
  run: RunState,
  prepared: Prepared,
): readonly Observation[] | Promise<readonly Observation[]> {
  if (run.harness.hooks.toolResult.taps.length > 0) return settleTapped(run, prepared)
  return prepared.map((one) => settleCall(run, one, one.result as Observation)) // of its refusal, or of phase 2 or 4
}

async function settleTapped(run: RunState, prepared: Prepared): Promise<readonly Observation[]> {
  const observations: Observation[] = []
  for (const one of prepared) {
    const tapped = await run.harness.hooks.toolResult.promise(one.result as Observation, run.turn)
    const own = tapped.callId === one.call.id ? tapped : { ...tapped, callId: one.call.id }
    observations.push(settleCall(run, one, own))
  }
  return observations
}

function settleCall(run: RunState, { call, tool, ms }: PreparedCall, own: Observation): Observation {
  const observation = finalObservation(run, own, tool)
  run.emit(() => ({ type: 'tool-end', callId: call.id, tool: call.name, observation, ms }))
  return observation
}
