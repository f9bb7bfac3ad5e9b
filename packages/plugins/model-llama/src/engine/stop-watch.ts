import { heldBack } from '../reply/held-back.js'

/** Lets a text through up to a stop text. */
export interface StopWatch {
  /** What of the text so far is certain to be before a stop. */
  push(piece: string): string
  /** Whether a stop has come. */
  readonly isStopped: boolean
  /** What was held back, when no more comes. */
  end(): string
}

/** Watches for stop texts, which may come in pieces. Empty ones are none. */
export function createStopWatch(stops: readonly string[]): StopWatch {
  const marks = stops.filter((stop) => stop !== '')
  let pending = ''
  let isStopped = false
  return {
    get isStopped() {
      return isStopped
    },
    push(piece) {
      if (isStopped) return ''
      pending += piece
      const found = marks.map((mark) => pending.indexOf(mark)).filter((at) => at >= 0)
      isStopped = found.length > 0
      const length = isStopped ? Math.min(...found) : pending.length - heldBack(pending, marks)
      const said = pending.slice(0, length)
      pending = isStopped ? '' : pending.slice(length)
      return said
    },
    end() {
      const said = pending
      pending = ''
      return said
    },
  }
}
