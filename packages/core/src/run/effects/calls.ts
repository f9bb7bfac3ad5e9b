import type { Observation, PendingEffect, ToolCall } from '@harnesswright/protocol'
import { invokeTool } from '../../tools/invoke.js'
import { failedObservation, finalObservation } from '../../tools/observation.js'
import { isYes, type PreparedCall, prepareCall, preparedBefore } from '../../tools/prepare.js'
import { checkpoint } from '../checkpoint.js'
import { mapConcurrently } from '../concurrency.js'
import type { RunState } from '../run-state.js'
import { askPerson, questionId } from './ask.js'
import { pendingOf } from './effect.js'

/** Phases 1 and 2: guards, in call order, then tools that modules bring, one after another. Done before in an effect that goes on. */
export async function prepareCalls(run: RunState, calls: readonly ToolCall[]): Promise<readonly PreparedCall[]> {
  const prepared: PreparedCall[] = []
  const pending = pendingOf(run)
  for (const [place, call] of calls.entries())
    prepared.push(
      await (pending?.isGuarded === true ? preparedBefore(run, call, pending) : prepareCall(run, call, place)),
    )
  if (prepared.some(({ question }) => question !== undefined)) return prepared
  for (const one of prepared.filter(({ tool, result }) => tool?.owner !== undefined && result === undefined)) {
    announce(run, one)
    await make(run, one)
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
    during: run.clean(run.turn.notes),
    outcomes: Object.fromEntries(results),
    approved: prepared.filter(({ approved }) => approved).map(({ call }) => call.id),
    questions: [],
    ...(limit && { limit }),
  }
}

/** Phase 4: tools of the environment, at once or in series; each is marked when it starts, and its outcome is made durable. */
export async function makeCalls(run: RunState, open: readonly PreparedCall[], together: boolean): Promise<void> {
  // All starts come before any end, in call order, so that the trace does not depend on how many run at once.
  for (const one of open) announce(run, one)
  await mapConcurrently(open, together ? run.limits.concurrency : 1, async (one) => {
    const { id } = one.call
    const unknown = await unknownOutcome(run, one)
    if (unknown === undefined) {
      await checkpoint(run, { started: id })
      await make(run, one)
    }
    one.result = run.clean(unknown ?? (one.result as Observation))
    await checkpoint(run, { outcome: one.result })
  })
}

/** What becomes of a call that was under way when the run was interrupted: made again if that does no harm, or if a person says so. */
async function unknownOutcome(run: RunState, { call, tool, approved }: PreparedCall): Promise<Observation | undefined> {
  if (!pendingOf(run)?.started.includes(call.id) || tool?.idempotent === true) return undefined
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

async function make(run: RunState, one: PreparedCall): Promise<void> {
  const at = run.env.clock.now()
  one.result = await invokeTool(run, one)
  one.ms = run.env.clock.now() - at
}

/** Phase 5: `toolResult`, in call order, then the observations are final. */
export async function settleCalls(run: RunState, prepared: readonly PreparedCall[]): Promise<readonly Observation[]> {
  const observations: Observation[] = []
  for (const { call, tool, result, ms } of prepared) {
    const raw = result as Observation // of its refusal, or of phase 2 or 4
    const tapped = await run.harness.hooks.toolResult.promise(raw, run.turn)
    const own = tapped.callId === call.id ? tapped : { ...tapped, callId: call.id }
    const observation = finalObservation(run, own, tool)
    run.emit(() => ({ type: 'tool-end', callId: call.id, tool: call.name, observation, ms }))
    observations.push(observation)
  }
  return observations
}
