import type { Clock } from '@harnesswright/core'

/** Watches that something goes on happening. */
export interface IdleWatch {
  /** It happened. */
  touch(): void
  stop(): void
}

/** Calls `onIdle` once, when nothing happened for so long. */
export function watchIdle(
  { clock, idleMs }: { readonly clock: Clock; readonly idleMs: number },
  onIdle: () => void,
): IdleWatch {
  const stopped = new AbortController()
  let touchedAt = clock.now()
  const watch = async (): Promise<void> => {
    for (let left = idleMs; left > 0; left = touchedAt + idleMs - clock.now()) await clock.sleep(left, stopped.signal)
    onIdle()
  }
  watch().catch(() => {}) // it was stopped
  return {
    touch: () => {
      touchedAt = clock.now()
    },
    stop: () => stopped.abort(null),
  }
}
