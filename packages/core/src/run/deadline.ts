import type { HarnessError } from '@harnesswright/protocol'
import { startTimer } from '../environment/timer.js'
import { isPromise } from '../hooks/guard.js'
import type { Bracket } from './bracket.js'
import type { RunState } from './run-state.js'

/** How long work may take, and what becomes of it then. */
export interface DeadlineOptions<T> {
  /** Time in ms on the environment's clock. */
  readonly ms: number
  /** What is thrown when the time is up. */
  expired(): HarnessError
  /** Simulated time in ms that passes after the work. */
  latencyOf?(value: T): number | undefined
  /** Keeps simulated time standing. Default: all the time, by the clock. */
  readonly bracket?: Bracket
  /** Called when the work gives something after nobody waits for it any more. */
  late?(): void
}

/**
 * The work, until its time is up or the run is aborted: its signal says so, and what it gives later is discarded. Work that
 * gives its value at once costs no timer; the signal is made when the work first looks at it.
 */
export function withDeadline<T>(
  run: RunState,
  options: DeadlineOptions<T>,
  work: (signalOf: () => AbortSignal) => Promise<T> | T,
): Promise<T> | T {
  run.gate.signal.throwIfAborted()
  const signal = new LateSignal()
  const given = work(() => signal.get())
  if (!isPromise(given) && !((options.latencyOf?.(given) ?? 0) > 0)) return given
  return new Promise((resolve, reject) => new Deadline(run, options, signal, { resolve, reject }).wait(given))
}

/** A signal that is made when somebody looks at it: most tools do not. */
class LateSignal {
  #controller: AbortController | undefined
  reason: HarnessError | undefined

  get(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.reason !== undefined) this.#controller.abort(this.reason)
    }
    return this.#controller.signal
  }

  abort(reason: HarnessError): void {
    this.reason = reason
    this.#controller?.abort(reason)
  }
}

interface Settle<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

class Deadline<T> {
  readonly #run: RunState
  readonly #options: DeadlineOptions<T>
  readonly #signal: LateSignal
  readonly #settle: Settle<T>
  readonly #leave: () => void
  readonly #stopTimer: () => void

  constructor(run: RunState, options: DeadlineOptions<T>, signal: LateSignal, settle: Settle<T>) {
    this.#run = run
    this.#options = options
    this.#signal = signal
    this.#settle = settle
    this.#leave = run.gate.onAbort((error) => this.#stop(error))
    this.#stopTimer = startTimer(run.env.clock, options.ms, () => this.#stop(options.expired()))
  }

  wait(given: Promise<T> | T): void {
    const { bracket = this.#run.env.clock } = this.#options
    bracket
      .during(Promise.resolve(given))
      .then((value) => this.#done(value))
      .catch((error) => this.#fail(error))
  }

  #stop(reason: HarnessError): void {
    this.#fail(reason)
    this.#signal.abort(reason)
  }

  #done(value: T): Promise<void> | void {
    if (this.#signal.reason !== undefined) return this.#options.late?.()
    const latencyMs = this.#options.latencyOf?.(value) ?? 0
    if (latencyMs <= 0) return this.#give(value)
    return this.#run.env.clock.sleep(latencyMs, this.#signal.get()).then(() => this.#give(value))
  }

  #give(value: T): void {
    this.#release()
    this.#settle.resolve(value)
  }

  #fail(error: unknown): void {
    this.#release()
    this.#settle.reject(error)
  }

  #release(): void {
    this.#leave()
    this.#stopTimer()
  }
}
