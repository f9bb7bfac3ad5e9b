import type { Tool } from '@harnesswright/core'
import { type CallItem, readCallItem } from '../read/read-call.js'
import type { ReadCall } from '../read/reading.js'
import type { Source } from '../read/source.js'
import { matchAt } from '../read/walk-text.js'
import { type FoundCalls, functionAt, keyedAt } from './dialects.js'

/** What stands in `<tool_call>`: calls, or what is wrong with them. */
export type FoundMarker = FoundCalls | { readonly fault: string; readonly end?: number }

const OPEN = /<tool_call>\s*/y
const CLOSE = /\s*<\/tool_call>/y
const NAMED = /\{\s*["']?name["']?\s*:\s*["']([^"']{1,64})["']\s*,\s*["']?arguments["']?\s*:\s*/y

/** The marker that begins here; undefined where none does, and the tag is only spoken of. */
export function toolCallAt(source: Source, at: number, tools: ReadonlyMap<string, Tool>): FoundMarker | undefined {
  const { text } = source
  if (matchAt(OPEN, text, at) === null) return undefined
  const inner = OPEN.lastIndex
  const char = text[inner]
  if (char === '{' || char === '[') return jsonAt(source, inner)
  const found = functionAt(source, inner, tools) ?? keyedAt(source, inner, tools)
  return found === undefined ? undefined : { ...found, end: closedEnd(text, found.end) }
}

/** One object, several, or a list of them. */
function jsonAt(source: Source, start: number): FoundMarker {
  const { text } = source
  const calls: ReadCall[] = []
  let at = start
  while (text[at] === '{' || text[at] === '[') {
    const scanned = source.scan(at)
    if (!('end' in scanned)) return brokenAt(source, at, calls)
    const items = text[at] === '[' ? scanned.parts.map((part) => part.text) : [text.slice(at, scanned.end)]
    const read = items.map(readCallItem)
    const wrong = read.find((item) => 'fault' in item)
    if (wrong !== undefined) return { fault: describe(wrong), end: closedEnd(text, scanned.end) }
    calls.push(...read.flatMap((item) => ('call' in item ? item.call : [])))
    at = skipBlanks(text, scanned.end)
  }
  return { calls, end: closedEnd(text, at) }
}

/** JSON out of form is mended where it can be; where only its arguments are broken, that is told to the call. */
function brokenAt(source: Source, at: number, before: readonly ReadCall[]): FoundMarker {
  const { text } = source
  const mended = text[at] === '{' ? source.mend(at) : undefined
  const item = mended === undefined ? undefined : readCallItem(mended.text)
  if (mended !== undefined && item !== undefined && 'call' in item)
    return { calls: [...before, item.call], end: closedEnd(text, mended.end) }
  const close = source.closing('</tool_call>', at)
  if (close < 0) return { fault: 'a <tool_call> is not closed, and what it holds is no whole JSON' }
  const end = close + '</tool_call>'.length
  const name = matchAt(NAMED, text, at)?.[1]
  if (name !== undefined)
    return { calls: [...before, { name, arguments: text.slice(NAMED.lastIndex, close).trim() }], end }
  return { fault: item === undefined ? 'what stands in a <tool_call> is no JSON' : describe(item), end }
}

function describe(item: CallItem): string {
  return `a <tool_call> holds no call: ${'fault' in item ? item.fault : ''}`
}

/** Models forget the closing tag, or stop in front of it. */
function closedEnd(text: string, at: number): number {
  return matchAt(CLOSE, text, at) === null ? at : CLOSE.lastIndex
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] as string)) at++
  return at
}
