import {
  copyJson,
  HarnessError,
  isHarnessError,
  type Json,
  messageOf,
  type Observation,
  type Tool,
  type ToolCall,
  type ToolContext,
} from '@harnesswright/protocol'
import { isPromise } from '../hooks/guard.js'
import { Bracket } from '../run/bracket.js'
import { withDeadline } from '../run/deadline.js'
import type { RunState } from '../run/run-state.js'
import { failedObservation, toObservation } from './observation.js'
import type { PreparedCall } from './prepare.js'

/** Default for the time of one call in ms. */
const TIMEOUT_MS = 120_000

/** Makes one call; sets its result and its time. What it throws, and running out of time, are results; only an abort is not. */
export async function invokeTool(run: RunState, prepared: PreparedCall): Promise<void> {
  const { clock } = run.env
  const at = clock.now()
  try {
    const given = begin(run, prepared)
    const result = isPromise(given) ? await given : given
    prepared.result = toObservation(prepared.call, result === undefined ? '' : copyJson(result))
  } catch (error) {
    if (run.isAbort(error)) throw error
    prepared.result = failure(prepared.call, error)
  }
  run.bracket = undefined
  prepared.ms = clock.now() - at
}

function begin(run: RunState, { call, args, tool }: PreparedCall): Promise<Json> | Json {
  const { name, timeoutMs = TIMEOUT_MS, latencyMs, execute } = tool as Tool // a call that was not refused has one
  const ms = Math.min(timeoutMs, Math.max(1, run.leftMs()))
  run.bracket = tool?.owner === undefined ? undefined : new Bracket(run.env.clock)
  return withDeadline(
    run,
    {
      ms,
      ...(run.bracket && { bracket: run.bracket }),
      expired: () => new HarnessError('E_TOOL_TIMEOUT', { message: `${name} did not finish within ${ms} ms` }),
      latencyOf: () => latencyMs,
      late: () => run.warn(`a late result of ${name} was discarded`),
    },
    (signalOf) => execute.call(tool, args, contextOf(run, call.id, signalOf)),
  )
}

function failure(call: ToolCall, error: unknown): Observation {
  return isHarnessError(error) && error.code === 'E_TOOL_TIMEOUT'
    ? failedObservation(call, 'E_TOOL_TIMEOUT', error.message)
    : failedObservation(call, 'E_TOOL_FAILED', `${call.name} failed: ${messageOf(error)}`)
}

function contextOf(run: RunState, callId: string, signalOf: () => AbortSignal): ToolContext {
  let kept = 0
  return {
    callId,
    get signal() {
      return signalOf()
    },
    workspace: run.env.workspace,
    path: run.path,
    step: run.turn.step,
    put: (value) => run.put(value, `${callId}.${++kept}`),
    get: (id) => run.get(id),
  }
}
