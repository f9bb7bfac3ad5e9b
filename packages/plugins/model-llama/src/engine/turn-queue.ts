/** Lets one at a time do something, in the order of asking. */
export interface TurnQueue {
  /**
   * Waits for its turn. Whoever gives up while waiting loses its place.
   *
   * @returns What ends the turn.
   * @throws The reason of the signal.
   */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createTurnQueue(): TurnQueue {
  const waiting: (() => void)[] = []
  let isBusy = false

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) isBusy = false
    else next()
  }

  /** Once, however often it is called. */
  function turn(): () => void {
    let isOver = false
    return () => {
      if (!isOver) leave()
      isOver = true
    }
  }

  return {
    enter(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (!isBusy) {
          isBusy = true
          return resolve(turn())
        }
        const begin = (): void => {
          signal.removeEventListener('abort', giveUp)
          resolve(turn())
        }
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(begin), 1)
          reject(signal.reason)
        }
        waiting.push(begin)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
  }
}
