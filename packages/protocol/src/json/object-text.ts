import { createRequire } from 'node:module'
import { wellFormed } from './text.js'

/**
 * The text of a JSON object: the model's own where it is one, the mended one where that is safe, else undefined.
 *
 * Safe: nothing; JSON inside a JSON string; commas, quotes and key names out of form. A text that was cut is not mended,
 * as nobody knows how it went on.
 */
export function objectText(text: string): string | undefined {
  if (text.trim() === '') return '{}'
  const value = parseOrUndefined(text)
  if (typeof value === 'string') return isObject(parseOrUndefined(value)) ? objectText(value) : undefined
  try {
    if (isObject(value)) return withoutLoneEscapes(text, value)
    if (value !== undefined || !isWhole(text)) return undefined
    const mended = repaired(text)
    return isObject(parseOrUndefined(mended)) ? mended : undefined
  } catch {
    return undefined
  }
}

const require = createRequire(import.meta.url)

/** Loaded at the first use: most models write JSON. */
function repaired(text: string): string {
  const { jsonrepair }: typeof import('jsonrepair') = require('jsonrepair')
  return jsonrepair(text)
}

/** A lone surrogate can also be written as an escape: an endpoint that parses the arguments then refuses them. */
function withoutLoneEscapes(text: string, value: unknown): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text
  const clean = JSON.stringify(value, (_, item) => (typeof item === 'string' ? wellFormed(item) : item))
  return clean === JSON.stringify(value) ? text : clean
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True when every bracket and quote that is opened is closed, nothing is left out, and exactly one object stands there. */
function isWhole(text: string): boolean {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return false
  let depth = 0
  let quote = ''
  let before = ''
  for (let index = 0; index < trimmed.length; index++) {
    const char = trimmed[index] as string
    // A value that is not there is no null.
    if (quote === '' && before === ':' && /[,}\]]/.test(char)) return false
    if (/\S/.test(char)) before = char
    if (quote !== '') {
      if (char === '\\') index++
      else if (char === quote) quote = ''
    } else if (trimmed.startsWith('...', index)) return false
    else if (char === '"' || char === "'") quote = char
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      depth--
      if (depth < 0 || (depth === 0 && index < trimmed.length - 1)) return false
    }
  }
  return depth === 0 && quote === ''
}
