import type { Clock } from '@harnesswright/protocol'

/** A clock of simulated time, with what a test may want to ask it. */
export interface VirtualClock extends Clock {
  /** Sleepers that wait for their time. */
  readonly sleeping: number
  /** Brackets of `during` that are open; while there is one, time stands still. */
  readonly busy: number
}

interface Sleeper {
  readonly at: number
  wake(): void
}

/**
 * A clock on which time passes only by sleeping: it jumps to the earliest sleeper as soon as nothing is bracketed in
 * `during` and the event loop has come round once, so that simulated time is exact and takes none.
 *
 * Sleepers of the same moment wake in the order in which they lay down, one a turn of the event loop, so that what one
 * of them starts is bracketed before the next wakes. Real work (files, transports) must be bracketed in `during`.
 *
 * @param originMs - The time at which the clock starts, in ms. Default 0.
 */
export function createVirtualClock(originMs: number = 0): VirtualClock {
  return new SimulatedTime(originMs)
}

class SimulatedTime implements VirtualClock {
  readonly isVirtual = true
  readonly #queue: Sleeper[] = []
  #nowMs: number
  #busy = 0
  #isArmed = false

  constructor(originMs: number) {
    this.#nowMs = originMs
  }

  get sleeping(): number {
    return this.#queue.length
  }

  get busy(): number {
    return this.#busy
  }

  now(): number {
    return this.#nowMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const stop = (): void => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = this.timer(ms, () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      })
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  timer(ms: number, over: () => void): () => void {
    const sleeper: Sleeper = { at: this.#nowMs + Math.max(0, ms), wake: over }
    this.#queue.push(sleeper)
    this.#arm()
    return () => {
      const place = this.#queue.indexOf(sleeper)
      if (place >= 0) this.#queue.splice(place, 1)
    }
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.#busy++
    try {
      return await work
    } finally {
      this.#busy--
      this.#arm()
    }
  }

  #arm(): void {
    if (this.#isArmed || this.#busy > 0 || this.#queue.length === 0) return
    this.#isArmed = true
    setImmediate(() => this.#tick())
  }

  #tick(): void {
    this.#isArmed = false
    if (this.#busy > 0) return
    const sleeper = takeEarliest(this.#queue)
    if (sleeper === undefined) return
    this.#nowMs = sleeper.at
    sleeper.wake()
    this.#arm()
  }
}

/** Takes the sleeper of the earliest time out of the queue, of several the one that came first. */
function takeEarliest(queue: Sleeper[]): Sleeper | undefined {
  let best = 0
  for (let index = 1; index < queue.length; index++) {
    if ((queue[index] as Sleeper).at < (queue[best] as Sleeper).at) best = index
  }
  return queue.splice(best, 1)[0]
}
