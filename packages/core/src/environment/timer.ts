import type { Clock } from '@harnesswright/protocol'

/** Calls `over` when so many ms have passed on the clock. What it gives stops it. */
export function startTimer(clock: Clock, ms: number, over: () => void): () => void {
  if (clock.timer !== undefined) return clock.timer(ms, over)
  const stopped = new AbortController()
  clock.sleep(ms, stopped.signal).then(over, () => {})
  return () => stopped.abort(null) // without a reason it would make one, with a stack trace
}
