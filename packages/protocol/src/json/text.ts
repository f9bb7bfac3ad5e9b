import type { Json } from '../types/index.js'

/** Bytes of a text in UTF-8; a lone surrogate is sent as U+FFFD. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text)
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

/**
 * Whether no text in a JSON value holds a lone surrogate, or one of these texts, given as they stand inside JSON. Told by its
 * JSON, which is quick; "no" may be wrong.
 */
export function isClean(value: unknown, escaped: readonly string[] = []): boolean {
  const json = JSON.stringify(value) ?? ''
  return !/\\ud[89a-f]/.test(json) && !escaped.some((text) => json.includes(text))
}

/** The value with every text in it, names of fields too, put through a change; the value itself where nothing changes. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  return holdsChange(value, change) ? (changed(value, change) as T) : value // of the same shape
}

function holdsChange(value: unknown, change: (text: string) => string): boolean {
  if (typeof value === 'string') return change(value) !== value
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => holdsChange(item, change))
  for (const key of Object.keys(value)) {
    if (change(key) !== key || holdsChange((value as Record<string, unknown>)[key], change)) return true
  }
  return false
}

function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => changed(item, change))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), changed(item, change)]))
}
