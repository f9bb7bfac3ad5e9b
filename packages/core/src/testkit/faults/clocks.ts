import type { Clock } from '@harnesswright/protocol'
import { systemClock } from '../../environment/system-clock.js'

/** A clock on which real time passes so many times as fast: a wait stays a wait, and takes little. */
export function createQuickClock(factor: number): Clock {
  return {
    now: () => performance.now() * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
    during: (work) => work,
  }
}

interface Sleeper {
  readonly at: number
  wake(): void
}

/** A clock that stands until it is moved by hand, while lines and servers are real. */
export class ManualClock implements Clock {
  readonly #sleepers: Set<Sleeper> = new Set()
  #nowMs = 0

  now(): number {
    return this.#nowMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const stop = (): void => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason)
      }
      const wake = (): void => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      const sleeper: Sleeper = { at: this.#nowMs + ms, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  during<T>(work: Promise<T>): Promise<T> {
    return work
  }

  /** Lets so many ms pass, and wakes whose time has come. */
  advance(ms: number): void {
    this.#nowMs += ms
    for (const sleeper of [...this.#sleepers].sort((a, b) => a.at - b.at)) {
      if (sleeper.at > this.#nowMs) break
      this.#sleepers.delete(sleeper)
      sleeper.wake()
    }
  }
}

/** Lets real time pass, in ms: for what lines and sockets need. */
export function realTime(ms: number, signal?: AbortSignal): Promise<void> {
  return systemClock.sleep(ms, signal)
}

/** Turns of the event loop in which what was written has been read and answered. */
const TURNS = 50

/** Lets everything that is under way on lines of this process come to its end, however busy the computer is. */
export async function settle(): Promise<void> {
  await realTime(2)
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
}
