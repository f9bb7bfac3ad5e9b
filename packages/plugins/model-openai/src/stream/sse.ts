import { StringDecoder } from 'node:string_decoder'
import { textOfBytes } from './bytes.js'

const LINE_FEED = 10

/**
 * Reads server-sent events: bytes in pieces of any size go in, the data of each whole event is handed on. Comments are
 * dropped, and lines may end in any of the three ways.
 */
export class EventReader {
  readonly #onEvent: (data: string) => void
  #decoder: StringDecoder | undefined
  #text = ''
  #data: string | undefined
  #isBegun = false

  constructor(onEvent: (data: string) => void) {
    this.#onEvent = onEvent
  }

  /** Hands on the events that these bytes complete. */
  push(bytes: Uint8Array): void {
    this.#take(this.#decode(bytes))
    this.#takeLines()
  }

  /** Hands on an event that the end of the stream completes. */
  end(): void {
    this.#take(`${this.#decoder?.end() ?? ''}\n\n`)
    this.#takeLines()
  }

  /** Until a piece ends elsewhere than at the end of a line, none ends within a character. */
  #decode(bytes: Uint8Array): string {
    if (this.#decoder === undefined && bytes.at(-1) === LINE_FEED) return textOfBytes(bytes)
    this.#decoder ??= new StringDecoder('utf8')
    return this.#decoder.write(bytes)
  }

  #take(text: string): void {
    if (text === '') return
    this.#text += this.#isBegun || text.charCodeAt(0) !== 0xfeff ? text : text.slice(1) // a byte order mark
    this.#isBegun = true
  }

  #takeLines(): void {
    const text = this.#text
    let start = 0
    let feed = text.indexOf('\n')
    let carriage = text.indexOf('\r')
    while (feed >= 0 || carriage >= 0) {
      const isFeed = carriage < 0 || (feed >= 0 && feed < carriage)
      const at = isFeed ? feed : carriage
      // A carriage return that comes last may have its line feed in the next piece.
      if (!isFeed && at === text.length - 1) break
      this.#takeLine(text, start, at)
      start = at + (!isFeed && feed === at + 1 ? 2 : 1)
      if (feed >= 0 && feed < start) feed = text.indexOf('\n', start)
      if (carriage >= 0 && carriage < start) carriage = text.indexOf('\r', start)
    }
    this.#text = text.slice(start)
  }

  #takeLine(text: string, start: number, end: number): void {
    if (start === end) this.#endEvent()
    else if (text.startsWith('data:', start)) {
      const from = start + (text[start + 5] === ' ' ? 6 : 5)
      const line = text.slice(Math.min(from, end), end)
      this.#data = this.#data === undefined ? line : `${this.#data}\n${line}`
    }
  }

  #endEvent(): void {
    const data = this.#data
    this.#data = undefined
    if (data !== undefined) this.#onEvent(data)
  }
}
