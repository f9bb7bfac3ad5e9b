/** Follows a JSON text as it comes in, to know when its value is whole, without parsing it again at every piece. */
export class JsonProgress {
  #depth = 0
  #isStarted = false
  #isInText = false
  #isEscaped = false

  /** True once an object or array was opened and everything that was opened is closed. */
  get isWhole(): boolean {
    return this.#isStarted && this.#depth === 0 && !this.#isInText
  }

  /** Takes the next piece. */
  push(piece: string): void {
    for (const char of piece) this.#take(char)
  }

  #take(char: string): void {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (char === '\\') this.#isEscaped = true
      else if (char === '"') this.#isInText = false
    } else if (char === '"') this.#isInText = true
    else if (char === '{' || char === '[') {
      this.#depth++
      this.#isStarted = true
    } else if (char === '}' || char === ']') this.#depth--
  }
}
