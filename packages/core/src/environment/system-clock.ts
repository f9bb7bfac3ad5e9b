import type { Clock } from '@harnesswright/protocol'

/** The longest time that a timer of Node.js takes, in ms; more means for ever. */
const MAX_MS = 2_147_483_647

const timer = (ms: number, over: () => void): (() => void) => {
  const timeout = setTimeout(over, Math.min(ms, MAX_MS))
  return () => clearTimeout(timeout)
}

/** The clock of the computer. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  during: <T>(work: Promise<T>): Promise<T> => work,
  timer,
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const stop = (): void => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = timer(ms, () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      })
      signal?.addEventListener('abort', stop, { once: true })
    })
  },
})
