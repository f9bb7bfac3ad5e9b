/** Pieces of a body, put together. */
export class Bytes {
  readonly #pieces: Uint8Array[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#length += piece.length
  }

  /** All of it as text, without a byte order mark. */
  text(): string {
    const [first] = this.#pieces
    const all = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces)
    const text = textOfBytes(all)
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  }
}

/** Whole characters as text. */
export function textOfBytes({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
}
