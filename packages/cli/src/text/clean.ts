import { stripVTControlCharacters } from 'node:util'

// Tabs and newlines are control characters too, and stay.
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * Text from outside as it may reach a terminal: without escape sequences, control characters and characters that change
 * the direction of writing. Tabs and newlines stay.
 */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text).replace(UNSAFE, (character) =>
    character === '\n' || character === '\t' ? character : '',
  )
}

/** Clean text on one line, of at most so many characters. */
export function cleanLine(text: string, maxChars: number = 200): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim()
  if (line.length <= maxChars) return line
  // Cut between characters, not inside a surrogate pair.
  return `${Array.from(line.slice(0, maxChars)).slice(0, -1).join('')}…`
}

/** A value as one JSON text in which nothing is unsafe for a terminal: what would be is escaped, so that no value changes. */
export function cleanJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
