import { HarnessError, isHarnessError } from './errors/error.js'

/** The gates that a signal ends. It has one listener for all of them, while there are any. */
const gatesOf = new WeakMap<AbortSignal, Set<AbortGate>>()

/**
 * Lets every wait of a run end at its abort. One listener on the caller's signal, however many waits there are and however
 * many runs it ends; a wait whose work ignores the abort is left behind, and what it gives later is discarded.
 */
export class AbortGate {
  readonly #controller: AbortController = new AbortController()
  readonly #stops: Set<(error: HarnessError) => void> = new Set()
  #detach: () => void = () => {}

  constructor(signal?: AbortSignal) {
    if (signal === undefined) return
    if (signal.aborted) {
      this.abort(signal.reason)
      return
    }
    this.#detach = endWith(signal, this)
  }

  /** Aborted with the run. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Ends every wait. The first reason stays. */
  abort(reason?: unknown): void {
    if (this.signal.aborted) return
    this.#controller.abort(abortedError(reason))
    for (const stop of this.#stops) stop(this.signal.reason as HarnessError)
    this.#stops.clear()
    this.close()
  }

  /** Leaves the caller's signal, and takes the listener off it where no other gate needs it. */
  close(): void {
    this.#detach()
    this.#detach = () => {}
  }

  /** Calls `stop` at the abort. What it gives takes that back. */
  onAbort(stop: (error: HarnessError) => void): () => void {
    this.#stops.add(stop)
    return () => this.#stops.delete(stop)
  }

  /** The work, or the abort if that comes first. */
  guard<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) {
        work.catch(() => {}) // its outcome is of no interest, and must not be an unhandled rejection
        return reject(this.signal.reason)
      }
      const leave = this.onAbort(reject)
      work.finally(leave).then(resolve, reject)
    })
  }
}

/** Ends a gate with a signal. What it gives takes that back. */
function endWith(signal: AbortSignal, gate: AbortGate): () => void {
  const gates = gatesOf.get(signal) ?? new Set()
  gatesOf.set(signal, gates)
  if (gates.size === 0) signal.addEventListener('abort', endAll)
  gates.add(gate)
  return () => {
    gates.delete(gate)
    if (gates.size === 0) signal.removeEventListener('abort', endAll)
  }
}

/** The one listener of every signal: which one it is says the event. */
function endAll({ target }: Event): void {
  const signal = target as AbortSignal // nothing else has this listener
  for (const gate of gatesOf.get(signal) ?? []) gate.abort(signal.reason)
}

function abortedError(reason: unknown): HarnessError {
  if (isHarnessError(reason) && reason.code === 'E_RUN_ABORTED') return reason // of the parent
  const why = typeof reason === 'string' ? reason : reason instanceof Error ? reason.message : ''
  return new HarnessError('E_RUN_ABORTED', {
    message: why === '' ? 'The run was aborted.' : `The run was aborted: ${why}`,
    cause: reason,
  })
}
