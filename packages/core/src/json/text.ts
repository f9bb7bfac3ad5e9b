import type { Json } from '../protocol/index.js'

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    // A surrogate pair is two units and four bytes; a lone surrogate is sent as U+FFFD, three bytes, and counts two or more.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
  }
  return bytes
}

/** The text without lone surrogates: each becomes U+FFFD, as endpoints refuse them. */
export function wellFormed(text: string): string {
  // In every Node.js from 20 on, but not in the ES2023 library types.
  return (text as string & { toWellFormed(): string }).toWellFormed()
}

/** A value as text for a model: a string as it is, anything else as JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
