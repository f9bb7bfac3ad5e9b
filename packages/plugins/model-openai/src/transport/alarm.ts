import { type Clock, systemClock } from '@harnesswright/core'

/** The longest time that a timer takes, in ms. */
const LONGEST_MS = 2_147_483_647

/** Rings once, after so many ms; gives what stops it. The clock of the computer rings by a bare timer, which costs least. */
export function setAlarm(clock: Clock, ms: number, ring: () => void): () => void {
  if (clock === systemClock) {
    const timer = setTimeout(ring, Math.min(ms, LONGEST_MS))
    return () => clearTimeout(timer)
  }
  const stop = new AbortController()
  clock.sleep(ms, stop.signal).then(
    () => stop.signal.aborted || ring(),
    () => {}, // stopped
  )
  return () => stop.abort(null) // without a reason it would make one, with a stack trace
}
