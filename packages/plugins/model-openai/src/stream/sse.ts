/**
 * Reads server-sent events: bytes in pieces of any size go in, the data of whole events comes out. Comments are dropped,
 * and lines may end in any of the three ways.
 */
export class EventReader {
  readonly #decoder = new TextDecoder()
  #text = ''
  #data: string[] = []

  /** The data of the events that these bytes complete. */
  push(bytes: Uint8Array): readonly string[] {
    this.#text += this.#decoder.decode(bytes, { stream: true })
    return this.#takeLines()
  }

  /** The data of an event that the end of the stream completes. */
  end(): readonly string[] {
    this.#text += `${this.#decoder.decode()}\n\n`
    return this.#takeLines()
  }

  #takeLines(): readonly string[] {
    const events: string[] = []
    const text = this.#text
    let start = 0
    for (let at = nextBreak(text, 0); at >= 0; at = nextBreak(text, start)) {
      // A carriage return that comes last may have its line feed in the next piece.
      if (text[at] === '\r' && at === text.length - 1) break
      const event = this.#takeLine(text.slice(start, at))
      if (event !== undefined) events.push(event)
      start = at + (text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1)
    }
    this.#text = text.slice(start)
    return events
  }

  #takeLine(line: string): string | undefined {
    if (line.startsWith('data:')) {
      this.#data.push(line.startsWith('data: ') ? line.slice(6) : line.slice(5))
      return undefined
    }
    if (line !== '' || this.#data.length === 0) return undefined
    const event = this.#data.join('\n')
    this.#data = []
    return event
  }
}

function nextBreak(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  const carriage = text.indexOf('\r', from)
  if (feed < 0 || carriage < 0) return Math.max(feed, carriage)
  return Math.min(feed, carriage)
}
