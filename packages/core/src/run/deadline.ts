import type { HarnessError } from '@harnesswright/protocol'
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
export async function withDeadline<T>(
  { gate, env: { clock } }: RunState,
  options: DeadlineOptions<T>,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  gate.signal.throwIfAborted()
  const given = new AbortController()
  const timer = new AbortController()
  const stop = (): void => given.abort(gate.signal.reason)
  gate.signal.addEventListener('abort', stop, { once: true })
  const expired = clock.sleep(options.ms, timer.signal).then(
    (): never => {
      const error = options.expired()
      given.abort(error)
      throw error
    },
    () => new Promise<never>(() => {}), // the timer was stopped: it decides nothing
  )
  const running = Promise.resolve().then(() => work(given.signal))
  running.then(
    () => given.signal.aborted && options.late?.(),
    () => {},
  )
  const done = async (): Promise<T> => {
    const value = await clock.during(running)
    const latencyMs = options.latencyOf?.(value) ?? 0
    if (latencyMs > 0) await clock.sleep(latencyMs, given.signal)
    return value
  }
  try {
    return await gate.guard(Promise.race([done(), expired]))
  } finally {
    timer.abort(null) // without a reason it would make one, with a stack trace
    gate.signal.removeEventListener('abort', stop)
  }
}
