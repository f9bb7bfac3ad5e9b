import { isObjectText, type JsonPart, scanWhole } from './json-scan.js'
import { parseOrUndefined, type ReadCall } from './reading.js'

/** A call, or what keeps an object from being one. */
export type CallItem = { readonly call: ReadCall } | { readonly fault: string }

/** Names under which models write the name of a tool and its arguments; the first ones are those that are asked for. */
const NAME_KEYS: readonly string[] = ['name', 'tool', 'tool_name', 'function', 'action']
const ARGUMENT_KEYS: readonly string[] = [
  'arguments',
  'args',
  'parameters',
  'params',
  'input',
  'action_input',
  'tool_input',
]
/** What may stand beside them and says nothing. */
const ASIDE: ReadonlySet<string> = new Set(['id', 'type', 'think', 'thought', 'reasoning', 'index'])

/** Reads an object as a call: a name and arguments, or the `function` of the Chat Completions interface. */
export function readCallItem(text: string): CallItem {
  const parts = isObjectText(text) ? scanWhole(text)?.parts : undefined
  if (parts === undefined) return { fault: 'it is no object with "name" and "arguments"' }
  const inner = partOf(parts, ['function'])
  if (inner !== undefined && isObjectText(inner.text)) return readCallItem(inner.text)
  const named = partOf(parts, NAME_KEYS)
  const name = named === undefined ? undefined : parseOrUndefined(named.text)
  if (typeof name !== 'string' || name === '') return { fault: 'it has no "name"' }
  const given = partOf(parts, ARGUMENT_KEYS)
  if (given !== undefined) return { call: { name, arguments: argumentText(given.text) } }
  const other = parts.find(({ key = '' }) => key !== named?.key && !ASIDE.has(key))
  if (other === undefined) return { call: { name, arguments: '{}' } }
  return {
    fault: `the arguments of ${JSON.stringify(name)} must stand in "arguments", and "${other.key}" stands beside it`,
  }
}

/** True for an object that can only be meant as a call: in the form that is asked for, or of a tool that is there. */
export function isLoneCall(parts: readonly JsonPart[], tools: { has(name: string): boolean }): boolean {
  const inner = partOf(parts, ['function'])
  if (inner !== undefined && isObjectText(inner.text)) return isLoneCall(scanWhole(inner.text)?.parts ?? [], tools)
  const name = parseOrUndefined(partOf(parts, NAME_KEYS)?.text ?? '')
  if (typeof name !== 'string' || partOf(parts, ARGUMENT_KEYS) === undefined) return false
  const isAsked = partOf(parts, ['name']) !== undefined && partOf(parts, ['arguments']) !== undefined
  return isAsked || tools.has(name)
}

/** Arguments may come as JSON in a text, and null stands for none. */
export function argumentText(text: string): string {
  if (text === 'null') return '{}'
  const value = text.startsWith('"') ? parseOrUndefined(text) : undefined
  return typeof value === 'string' ? value : text
}

/** The first of some fields that is there; of a field that stands twice the last, as JSON has it. */
export function partOf(parts: readonly JsonPart[], keys: readonly string[]): JsonPart | undefined {
  for (const key of keys) {
    const found = parts.findLast((part) => part.key === key)
    if (found !== undefined) return found
  }
  return undefined
}
