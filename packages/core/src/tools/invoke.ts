import {
  copyJson,
  HarnessError,
  isHarnessError,
  messageOf,
  type Observation,
  type Tool,
  type ToolContext,
} from '@harnesswright/protocol'
import { isPromise } from '../hooks/guard.js'
import { withDeadline } from '../run/deadline.js'
import type { RunState } from '../run/run-state.js'
import { failedObservation, toObservation } from './observation.js'
import type { PreparedCall } from './prepare.js'

/** Default for the time of one call in ms. */
const TIMEOUT_MS = 120_000

/** Makes one call. What it throws, and running out of time, are observations; only an abort is not. */
export async function invokeTool(run: RunState, prepared: PreparedCall): Promise<Observation> {
  const { call, args } = prepared
  const tool = prepared.tool as Tool // a call that was not refused has one
  const ms = Math.min(tool.timeoutMs ?? TIMEOUT_MS, Math.max(1, run.leftMs()))
  const expired = `${tool.name} did not finish within ${ms} ms`
  try {
    const given = withDeadline(
      run,
      {
        ms,
        expired: () => new HarnessError('E_TOOL_TIMEOUT', { message: expired }),
        latencyOf: () => tool.latencyMs,
        late: () => run.warn(`a late result of ${tool.name} was discarded`),
      },
      (signalOf) => tool.execute(args, contextOf(run, call.id, signalOf)),
    )
    const result = isPromise(given) ? await given : given
    return toObservation(call, result === undefined ? '' : copyJson(result))
  } catch (error) {
    if (run.isAbort(error)) throw error
    return isHarnessError(error) && error.code === 'E_TOOL_TIMEOUT'
      ? failedObservation(call, 'E_TOOL_TIMEOUT', error.message)
      : failedObservation(call, 'E_TOOL_FAILED', `${call.name} failed: ${messageOf(error)}`)
  }
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
