/** A run of characters that a name, a number, a path or an address is made of; a full stop at its end is none of it. */
const TOKEN = /[\p{L}\p{N}](?:[\p{L}\p{N}._/:@#&?=%+~-]*[\p{L}\p{N}])?/gu

/** Longer tokens are data, and no names. */
const MOST_CHARS = 80

/** Digits from which on a bare number tells one thing from another. */
const LEAST_DIGITS = 3

const TIME = /^\d{1,2}:\d{2}(?::\d{2})?$/
const LETTER = /\p{L}/u
const DIGIT = /\p{N}/gu

/**
 * What a text names that words alone do not bring back: codes such as `I-101`, paths, addresses, and numbers of three digits
 * or more. Each once, in the order in which they stand. Times of day and shorter numbers stand everywhere and name nothing.
 */
export function identifiersIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const [token] of text.matchAll(TOKEN)) if (isIdentifier(token)) found.add(token)
  return [...found]
}

function isIdentifier(token: string): boolean {
  if (token.length < LEAST_DIGITS || token.length > MOST_CHARS || TIME.test(token)) return false
  if (/:\/\/|@.*\.|\/.*\.|\..*\//.test(token)) return true
  const digits = token.match(DIGIT)?.length ?? 0
  return digits > 0 && (LETTER.test(token) || digits >= LEAST_DIGITS)
}

/** The identifiers of a text that say most, at most so many: those with letters in them before bare numbers. */
export function mainIdentifiers(text: string, most: number): readonly string[] {
  const all = identifiersIn(text)
  const named = all.filter((identifier) => LETTER.test(identifier))
  return [...named, ...all.filter((identifier) => !LETTER.test(identifier))].slice(0, most)
}
