import type { CallAction, Observation } from '../../protocol/index.js'
import { invokeTool } from '../../tools/invoke.js'
import { finalObservation } from '../../tools/observation.js'
import { type PreparedCall, prepareCall } from '../../tools/prepare.js'
import { checkpoint } from '../checkpoint.js'
import { mapConcurrently } from '../concurrency.js'
import type { RunState } from '../run-state.js'
import type { Outcome } from './effect.js'

/**
 * `call`, in five phases, so that a crash at any point loses nothing and repeats nothing:
 * (1) guards, in call order; (2) tools that modules bring, one after another; (3) states are made durable;
 * (4) tools of the environment, at once or in series; (5) `toolResult`, in call order, then the observations are final.
 */
export async function performCall(run: RunState, action: CallAction): Promise<Outcome> {
  const prepared: PreparedCall[] = []
  for (const call of action.calls) prepared.push(await prepareCall(run, call))
  const results: (Observation | undefined)[] = prepared.map((one) => one.refusal)

  const brought = indices(prepared, (one) => one.refusal === undefined && one.tool?.owner !== undefined)
  for (const index of brought) results[index] = await runOne(run, prepared[index])

  await checkpoint(run)

  const outside = indices(prepared, (one) => one.refusal === undefined && one.tool?.owner === undefined)
  const together =
    action.mode === undefined
      ? outside.every((index) => prepared[index]?.tool?.readOnly === true)
      : action.mode === 'parallel'
  announce(
    run,
    outside.map((index) => prepared[index]),
  )
  const width = together ? run.limits.concurrency : 1
  await mapConcurrently(outside, width, async (index) => {
    results[index] = await runOne(run, prepared[index])
  })

  const observations: Observation[] = []
  for (const [index, one] of prepared.entries()) {
    observations.push(await settle(run, one, results[index]))
  }
  const limit =
    prepared.find((one) => one.limit !== undefined)?.limit ?? (isStuck(run, action) ? 'malformed' : undefined)
  return { observations, ...(limit === undefined ? {} : { limit }) }
}

/** Steps in a row of which no call could be read, before the run is ended with a forced answer. */
const MAX_UNREADABLE = 3

function isStuck(run: RunState, action: CallAction): boolean {
  const actions = [...run.steps.slice(1 - MAX_UNREADABLE).map((step) => step.action), action]
  return (
    actions.length === MAX_UNREADABLE &&
    actions.every((one) => one.kind === 'call' && one.calls.every((call) => run.brokenArguments.has(call.id)))
  )
}

function indices<T>(items: readonly T[], keep: (item: T) => boolean): readonly number[] {
  return items.flatMap((item, index) => (keep(item) ? [index] : []))
}

/** All starts come before any end, in call order, so that the trace does not depend on how many run at once. */
function announce(run: RunState, calls: readonly (PreparedCall | undefined)[]): void {
  for (const one of calls) {
    if (one === undefined) continue
    const { id, name, arguments: text } = one.call
    run.emit(() => ({ type: 'tool-start', callId: id, tool: name, arguments: text }))
  }
}

async function runOne(run: RunState, prepared: PreparedCall | undefined): Promise<Observation | undefined> {
  if (prepared?.tool === undefined) return undefined
  if (prepared.tool.owner !== undefined) announce(run, [prepared])
  const at = run.env.clock.now()
  const observation = await invokeTool(run, prepared.tool, prepared)
  prepared.ms = run.env.clock.now() - at
  return observation
}

async function settle(run: RunState, prepared: PreparedCall, result: Observation | undefined): Promise<Observation> {
  const raw = result ?? {
    callId: prepared.call.id,
    tool: prepared.call.name,
    ok: false,
    content: 'error: the call gave no result',
  }
  const tapped = await run.harness.hooks.toolResult.promise(raw, run.turn)
  const observation = finalObservation(run, { ...tapped, callId: prepared.call.id }, prepared.tool)
  run.emit(() => ({
    type: 'tool-end',
    callId: observation.callId,
    tool: prepared.call.name,
    observation,
    ms: prepared.ms,
  }))
  return observation
}
