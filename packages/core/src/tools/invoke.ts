import { HarnessError, isHarnessError, messageOf } from '../errors/error.js'
import { copyJson } from '../json/copy.js'
import type { Json, Observation, Tool, ToolContext } from '../protocol/index.js'
import type { RunState } from '../run/run-state.js'
import { failedObservation, toObservation } from './observation.js'
import type { PreparedCall } from './prepare.js'

/** Default for the time of one call in ms. */
const TIMEOUT_MS = 120_000

/** Makes one call. What it throws, and running out of time, are observations; only an abort is not. */
export async function invokeTool(run: RunState, tool: Tool, prepared: PreparedCall): Promise<Observation> {
  const { call, args } = prepared
  try {
    const result = await withTimeout(run, tool, (signal) => {
      const ctx: ToolContext = {
        callId: call.id,
        signal,
        workspace: run.env.workspace,
        path: run.path,
        step: run.turn.step,
        put: (value) => run.put(value),
        get: (id) => run.env.artifacts.get(id),
      }
      return tool.execute(args, ctx)
    })
    if ((tool.latencyMs ?? 0) > 0) await run.gate.guard(run.env.clock.sleep(tool.latencyMs ?? 0, run.gate.signal))
    return toObservation(call, result)
  } catch (error) {
    if (run.isAbort(error)) throw error
    if (isHarnessError(error) && error.code === 'E_TOOL_TIMEOUT')
      return failedObservation(call, 'E_TOOL_TIMEOUT', error.message)
    return failedObservation(call, 'E_TOOL_FAILED', `${call.name} failed: ${messageOf(error)}`)
  }
}

/** The work, until its time is up or the run is aborted; a late result is discarded, and said in a warning. */
async function withTimeout(
  run: RunState,
  tool: Tool,
  work: (signal: AbortSignal) => Promise<Json> | Json,
): Promise<Json> {
  const timer = new AbortController()
  const call = new AbortController()
  const timeoutMs = Math.min(tool.timeoutMs ?? TIMEOUT_MS, Math.max(1, run.leftMs()))
  let over = false
  const late = run.env.clock.sleep(timeoutMs, timer.signal).then(
    (): never => {
      over = true
      const error = new HarnessError('E_TOOL_TIMEOUT', {
        message: `${tool.name} did not finish within ${timeoutMs} ms`,
      })
      call.abort(error)
      throw error
    },
    () => new Promise<never>(() => {}), // the timer was stopped: it decides nothing
  )
  const stop = (): void => call.abort(run.gate.signal.reason)
  run.gate.signal.addEventListener('abort', stop, { once: true })
  const running = Promise.resolve().then(() => work(call.signal))
  running.then(
    () => (over || call.signal.aborted) && run.warn(`a late result of ${tool.name} was discarded`),
    () => {},
  )
  try {
    const result = await run.gate.guard(Promise.race([run.env.clock.during(running), late]))
    return result === undefined ? '' : copyJson(result)
  } finally {
    timer.abort()
    run.gate.signal.removeEventListener('abort', stop)
  }
}
