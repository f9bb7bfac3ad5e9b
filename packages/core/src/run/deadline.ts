import type { HarnessError } from '@harnesswright/protocol'
import { startTimer } from '../environment/timer.js'
import type { RunState } from './run-state.js'

/** How long work may take, and what becomes of it then. */
export interface DeadlineOptions<T> {
  /** Time in ms on the environment's clock. */
  readonly ms: number
  /** What is thrown when the time is up. */
  expired(): HarnessError
  /** Simulated time in ms that passes after the work. */
  latencyOf?(value: T): number | undefined
  /** Called when the work gives something after nobody waits for it any more. */
  late?(): void
}

/** The work, until its time is up or the run is aborted: its signal says so, and what it gives later is discarded. */
export function withDeadline<T>(
  { gate, env: { clock } }: RunState,
  options: DeadlineOptions<T>,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    gate.signal.throwIfAborted()
    const given = new AbortController()
    const stop = (error: HarnessError): void => {
      release()
      given.abort(error)
      reject(error)
    }
    const leave = gate.onAbort(stop)
    const stopTimer = startTimer(clock, options.ms, () => stop(options.expired()))
    const release = (): void => {
      leave()
      stopTimer()
    }
    const done = async (value: T): Promise<void> => {
      if (given.signal.aborted) return options.late?.()
      const latencyMs = options.latencyOf?.(value) ?? 0
      if (latencyMs > 0) await clock.sleep(latencyMs, given.signal)
      release()
      resolve(value)
    }
    const running = Promise.resolve().then(() => work(given.signal))
    clock
      .during(running)
      .then(done)
      .catch((error) => {
        release()
        reject(error)
      })
  })
}
