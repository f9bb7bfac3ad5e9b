const QUOTE = 34
const BACKSLASH = 92
const OPENING = new Set([91, 123]) // [ {
const CLOSING = new Set([93, 125]) // ] }

/** Follows a JSON text as it comes in, to know when its value is whole, without reading any of it twice. */
export class JsonProgress {
  #unread = ''
  #mayClose = false
  #depth = 0
  #isStarted = false
  #isInText = false
  #isEscaped = false

  /** Takes the next piece. */
  push(piece: string): void {
    this.#unread += piece
    this.#mayClose ||= piece.includes('}') || piece.includes(']')
  }

  /** True once an object or array was opened and everything that was opened is closed. */
  get isWhole(): boolean {
    const isOpen = this.#depth > 0 || !this.#isStarted
    if (isOpen && !this.#mayClose) return false // nothing that came since can have closed it
    this.#read()
    return this.#isStarted && this.#depth === 0 && !this.#isInText
  }

  #read(): void {
    const text = this.#unread
    this.#unread = ''
    this.#mayClose = false
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isInText) {
        if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) this.#isInText = false
      } else if (code === QUOTE) this.#isInText = true
      else if (OPENING.has(code)) {
        this.#depth++
        this.#isStarted = true
      } else if (CLOSING.has(code)) this.#depth--
    }
  }
}
