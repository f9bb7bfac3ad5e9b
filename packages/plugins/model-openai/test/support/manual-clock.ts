import type { Clock, Retry } from '@harnesswright/core'

interface Sleeper {
  readonly atMs: number
  wake(): void
}

/** A clock that a test moves by hand, while lines and servers are real. */
export class ManualClock implements Clock {
  readonly #sleepers = new Set<Sleeper>()
  #nowMs = 1_000_000

  now(): number {
    return this.#nowMs
  }

  /** How many sleep. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const stop = (): void => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason)
      }
      const sleeper: Sleeper = {
        atMs: this.#nowMs + ms,
        wake: () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  during<T>(work: Promise<T>): Promise<T> {
    return work
  }

  /** Lets time pass and wakes whose time has come. */
  async advance(ms: number): Promise<void> {
    this.#nowMs += ms
    for (const sleeper of [...this.#sleepers].sort((a, b) => a.atMs - b.atMs)) {
      if (sleeper.atMs > this.#nowMs) break
      this.#sleepers.delete(sleeper)
      sleeper.wake()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** A clock on which the waits between attempts pass at once, and what was announced of them. */
export function skippingClock(): { clock: ManualClock; waits: Retry[]; onRetry: (retry: Retry) => void } {
  const clock = new ManualClock()
  const waits: Retry[] = []
  return {
    clock,
    waits,
    onRetry: (retry) => {
      waits.push(retry)
      setImmediate(() => void clock.advance(retry.delayMs)) // by then it sleeps
    },
  }
}

/** Waits until something holds, in real time, for at most 2 s. */
export async function until(holds: () => boolean): Promise<void> {
  const endsAt = Date.now() + 2_000
  while (!holds()) {
    if (Date.now() > endsAt) throw new Error('it did not come to hold within 2 s')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
