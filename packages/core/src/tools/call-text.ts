import type { ToolCall } from '@harnesswright/protocol'
import { jsonrepair } from 'jsonrepair'
import { wellFormed } from '../json/text.js'

/** What canonical calls need of a run. */
interface CallBook {
  readonly callIds: Set<string>
  readonly brokenArguments: Map<string, string>
  readonly turn: {
    readonly step: number
    /** Ids of the calls of this step's replies that no action has made yet. */
    readonly openCalls: Set<string>
  }
}

const SAFE_ID = /^[a-zA-Z0-9_-]{1,64}$/

/** Calls with ids that are safe and new in the run, and arguments that are the text of a JSON object. */
export function canonicalCalls(book: CallBook, calls: readonly ToolCall[]): readonly ToolCall[] {
  const canonical = calls.map((call, index) => canonicalCall(book, call, index))
  for (const { id } of canonical) book.turn.openCalls.add(id)
  return canonical
}

/** The calls of an action: those of this step's replies as they are, others made canonical. */
export function actionCalls(book: CallBook, calls: readonly ToolCall[]): readonly ToolCall[] {
  return calls.map((call, index) => {
    const isOwn = book.turn.openCalls.delete(call.id) && objectText(call.arguments) === call.arguments
    return isOwn ? call : canonicalCall(book, call, index)
  })
}

function canonicalCall(book: CallBook, call: ToolCall, index: number): ToolCall {
  const id = takeId(book, call.id, index)
  // A model plugin may hand over a value where the type says text.
  const given: unknown = call.arguments ?? ''
  const said = typeof given === 'string' ? given : JSON.stringify(given)
  const text = objectText(wellFormed(said))
  if (text === undefined) book.brokenArguments.set(id, said)
  return { id, name: wellFormed(call.name ?? ''), arguments: text ?? '{}' }
}

function takeId(book: CallBook, asked: string | undefined, index: number): string {
  let id =
    asked !== undefined && SAFE_ID.test(asked) && !book.callIds.has(asked) ? asked : `c${book.turn.step}_${index + 1}`
  for (let extra = 2; book.callIds.has(id); extra++) id = `c${book.turn.step}_${index + 1}_${extra}`
  book.callIds.add(id)
  return id
}

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
    const mended = jsonrepair(text)
    return isObject(parseOrUndefined(mended)) ? mended : undefined
  } catch {
    return undefined
  }
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
  for (let index = 0; index < trimmed.length; index++) {
    const char = trimmed[index] as string
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
