import type { Clock } from '@harnesswright/protocol'

/** The clock of the computer. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  during: <T>(work: Promise<T>): Promise<T> => work,
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      // The longest time a timer takes is 2^31 - 1 ms; more means for ever.
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        },
        Math.min(ms, 2_147_483_647),
      )
      signal?.addEventListener('abort', stop, { once: true })
    })
  },
})
