import type { Json } from '../protocol/index.js'

const encoder = new TextEncoder()

/** Bytes of a text in UTF-8; a lone surrogate is sent as U+FFFD. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length
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
