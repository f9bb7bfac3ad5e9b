import type { CallAction, Observation } from '@harnesswright/protocol'
import { invokeTool } from '../../tools/invoke.js'
import { finalObservation } from '../../tools/observation.js'
import { type PreparedCall, prepareCall } from '../../tools/prepare.js'
import { checkpoint } from '../checkpoint.js'
import { mapConcurrently } from '../concurrency.js'
import type { RunState } from '../run-state.js'
import type { Outcome } from './effect.js'
import { stuckOn } from './stuck.js'

/**
 * `call`, in five phases, so that a crash at any point loses nothing and repeats nothing:
 * (1) guards, in call order; (2) tools that modules bring, one after another; (3) states are made durable;
 * (4) tools of the environment, at once or in series; (5) `toolResult`, in call order, then the observations are final.
 */
export async function performCall(run: RunState, action: CallAction): Promise<Outcome> {
  const prepared: PreparedCall[] = []
  for (const call of action.calls) prepared.push(await prepareCall(run, call))
  const open = prepared.filter((one) => one.result === undefined)

  for (const one of open.filter(({ tool }) => tool?.owner !== undefined)) {
    announce(run, one)
    await make(run, one)
  }

  await checkpoint(run)

  const outside = open.filter(({ tool }) => tool?.owner === undefined)
  const together =
    action.mode === undefined ? outside.every(({ tool }) => tool?.readOnly === true) : action.mode === 'parallel'
  // All starts come before any end, in call order, so that the trace does not depend on how many run at once.
  for (const one of outside) announce(run, one)
  await mapConcurrently(outside, together ? run.limits.concurrency : 1, (one) => make(run, one))

  const observations: Observation[] = []
  for (const one of prepared) observations.push(await settle(run, one))
  const limit = prepared.find((one) => one.limit !== undefined)?.limit
  return { observations, ...stuckOn(run, action, observations), ...(limit === undefined ? {} : { limit }) }
}

function announce(run: RunState, { call }: PreparedCall): void {
  run.emit(() => ({ type: 'tool-start', callId: call.id, tool: call.name, arguments: call.arguments }))
}

async function make(run: RunState, one: PreparedCall): Promise<void> {
  const at = run.env.clock.now()
  one.result = await invokeTool(run, one)
  one.ms = run.env.clock.now() - at
}

async function settle(run: RunState, { call, tool, result, ms }: PreparedCall): Promise<Observation> {
  const raw = result as Observation // of its refusal, or of phase 2 or 4
  const tapped = await run.harness.hooks.toolResult.promise(raw, run.turn)
  const observation = finalObservation(run, { ...tapped, callId: call.id }, tool)
  run.emit(() => ({ type: 'tool-end', callId: call.id, tool: call.name, observation, ms }))
  return observation
}
