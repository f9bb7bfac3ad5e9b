import { jsonrepair } from 'jsonrepair'
import { type ScannedJson, scanWhole } from './json-scan.js'

/** A text that was mended to JSON. */
export interface Mended {
  /** Where the text that was mended ends. */
  readonly end: number
  /** The JSON that it stands for. */
  readonly text: string
  readonly value: ScannedJson
}

/**
 * The object that begins at a place, mended where it is whole and only out of form: commas, quotes, line breaks in texts, the
 * words of other languages. A text that was cut is not mended, as nobody knows how it went on.
 */
export function mendObject(text: string, start: number): Mended | undefined {
  const end = closingEnd(text, start)
  if (end === undefined) return undefined
  try {
    const mended = jsonrepair(text.slice(start, end))
    const value = mended.startsWith('{') ? scanWhole(mended) : undefined
    return value === undefined ? undefined : { end, text: mended, value }
  } catch {
    return undefined
  }
}

/** The end of the brackets that open at a place; undefined where they are not closed, or something is left out. */
function closingEnd(text: string, start: number): number | undefined {
  let depth = 0
  let quote = ''
  let before = ''
  for (let at = start; at < text.length; at++) {
    const char = text[at] as string
    if (quote !== '') {
      if (char === '\\') at++
      else if (char === quote) quote = ''
      continue
    }
    if (text.startsWith('...', at) || (before === ':' && ',}]'.includes(char))) return undefined
    // An apostrophe opens a text only where a text can begin.
    if (char === '"' || (char === "'" && '{[,:'.includes(before))) quote = char
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      depth--
      if (depth === 0) return at + 1
    }
    if (!/\s/.test(char)) before = char
  }
  return undefined
}
