import type { Json } from '@harnesswright/core'
import { nearestNames } from '@harnesswright/core'
import { isMisspelling } from '@harnesswright/core/manifest'
import { isObjectText, type JsonPart, type ScannedJson, scanWhole } from '../read/json-scan.js'
import { argumentText, isLoneCall, partOf, readCallItem } from '../read/read-call.js'
import { ANSWER, FINAL_ANSWER, parseOrUndefined, type ReadCall, type ReadContext } from '../read/reading.js'

/** What one object of a reply says. */
export interface StepObject {
  readonly calls: readonly ReadCall[]
  readonly answer?: Json
  readonly think?: string
  /** What is wrong with it. Nothing of it is then made. */
  readonly fault?: string
}

/** Fields of a step beside those that are named like tools. */
export const LISTS: readonly string[] = ['tools', 'tool_calls', 'calls']
export const THOUGHTS: readonly string[] = ['think', 'thought', 'reasoning']

/** Names that the first field of a step may have. */
export const STEP_KEYS: ReadonlySet<string> = new Set([...LISTS, ...THOUGHTS, FINAL_ANSWER, 'name', 'function'])

/** Reads an object as a step; undefined when it is none, but a value that the model writes about. */
export function readStep({ parts }: ScannedJson, context: ReadContext): StepObject | undefined {
  if (isLoneCall(parts, context.tools)) return readLoneCall(parts)
  const own = parts.flatMap((part) => ownCalls(part, context))
  const named = new Set(own.map(({ part }) => part))
  const rest = parts.filter((part) => !named.has(part))
  const list = partOf(rest, LISTS)
  const answer = readAnswer(rest, context)
  const think = readThought(rest)
  const isStep = own.length > 0 || list !== undefined || answer !== undefined || think !== undefined
  if (!isStep) return undefined
  const listed = list === undefined ? { calls: [] } : readList(list)
  const mistyped = rest.flatMap((part) => mistypedCall(part, context))
  const calls = [...own.map(({ call }) => call), ...mistyped, ...listed.calls]
  return {
    calls,
    ...(answer === undefined ? {} : { answer }),
    ...(think === undefined ? {} : { think }),
    ...(listed.fault === undefined ? {} : { fault: listed.fault }),
  }
}

/** The calls of a list; undefined when it is none of calls. */
export function readCallList({ parts }: ScannedJson, context: ReadContext): StepObject | undefined {
  const isCalls = parts.length > 0 && parts.every(({ text }) => isLoneCall(partsOf(text), context.tools))
  return isCalls ? readItems(parts, 'the list') : undefined
}

/** In this form a field that is named like a tool is a call of it, or several in a list. */
function ownCalls(
  part: JsonPart,
  { tools }: ReadContext,
): readonly { readonly part: JsonPart; readonly call: ReadCall }[] {
  const { key: name = '', text } = part
  if (!tools.has(name) || text === 'null') return []
  const isWord = LISTS.includes(name) || THOUGHTS.includes(name)
  const items = text.startsWith('[') ? (scanWhole(text)?.parts ?? []) : []
  const isList = !isWord && items.length > 0 && items.every((item) => isObjectText(item.text))
  if (isList) return items.map((item) => ({ part, call: { name, arguments: item.text } }))
  if (isWord && !isObjectText(text)) return []
  return [{ part, call: { name, arguments: argumentText(text) } }]
}

/** A field that holds arguments under a name that is all but that of a tool: the kernel then tells which there are. */
function mistypedCall({ key = '', text }: JsonPart, { tools }: ReadContext): readonly ReadCall[] {
  if (STEP_KEYS.has(key) || key === ANSWER || tools.has(key) || !isObjectText(text)) return []
  const isMeant = [...tools.keys()].some((name) => isMisspelling(key, name))
  return isMeant ? [{ name: key, arguments: text }] : []
}

function readAnswer(parts: readonly JsonPart[], { tools, schema }: ReadContext): Json | undefined {
  const given = tools.has(FINAL_ANSWER) ? undefined : partOf(parts, [FINAL_ANSWER])
  if (given !== undefined && given.text !== 'null') return parseOrUndefined(given.text)
  if (isAnswerItself(parts, schema)) return wholeAnswer(parts, schema)
  // Alone, a field "answer" may as well be one of the answer itself.
  const isMeant = tools.has(FINAL_ANSWER) || readThought(parts) !== undefined
  const other = isMeant && !tools.has(ANSWER) ? partOf(parts, [ANSWER]) : undefined
  return other === undefined || other.text === 'null' ? undefined : parseOrUndefined(other.text)
}

function wholeAnswer(parts: readonly JsonPart[], schema: ReadContext['schema']): Json | undefined {
  const fields = schema?.['properties']
  const isOwn = (key: string): boolean => typeof fields === 'object' && fields !== null && Object.hasOwn(fields, key)
  return parseOrUndefined(textOf(parts.filter(({ key = '' }) => !THOUGHTS.includes(key) || isOwn(key))))
}

/** True for an object in the shape of the answer, which the model gave without its name. */
function isAnswerItself(parts: readonly JsonPart[], schema: ReadContext['schema']): boolean {
  const required = schema?.['required']
  if (!Array.isArray(required) || required.length === 0 || partOf(parts, LISTS) !== undefined) return false
  return required.every((name) => typeof name === 'string' && partOf(parts, [name]) !== undefined)
}

function readThought(parts: readonly JsonPart[]): string | undefined {
  const thought = parseOrUndefined(partOf(parts, THOUGHTS)?.text ?? '')
  return typeof thought === 'string' ? thought : undefined
}

function readList({ key, text }: JsonPart): { readonly calls: readonly ReadCall[]; readonly fault?: string } {
  if (text === 'null') return { calls: [] }
  if (isObjectText(text)) return readItems([{ key: undefined, text }], `"${key}"`)
  if (!text.startsWith('['))
    return { calls: [], fault: `"${key}" must be a list of calls, and is ${text.slice(0, 40)}` }
  return readItems(scanWhole(text)?.parts ?? [], `"${key}"`)
}

function readItems(items: readonly JsonPart[], where: string): StepObject {
  const calls: ReadCall[] = []
  for (const [index, { text }] of items.entries()) {
    const item = readCallItem(text)
    if ('fault' in item) return { calls: [], fault: `item ${index + 1} of ${where} is no call: ${item.fault}` }
    calls.push(item.call)
  }
  return { calls }
}

function readLoneCall(parts: readonly JsonPart[]): StepObject {
  const item = readCallItem(textOf(parts))
  const think = readThought(parts)
  const said = think === undefined ? {} : { think }
  return 'call' in item
    ? { calls: [item.call], ...said }
    : { calls: [], fault: `the object is no call: ${item.fault}`, ...said }
}

/** Why an object is no step, in words. */
export function strangeObject({ parts }: ScannedJson, { tools }: ReadContext): string {
  const keys = parts.map(({ key = '' }) => JSON.stringify(key)).slice(0, 5)
  const found = keys.length === 0 ? 'no fields' : `the field${keys.length === 1 ? '' : 's'} ${keys.join(', ')}`
  const nearest = nearestNames(parts[0]?.key ?? '', tools.keys())
  const names = nearest.map((name) => JSON.stringify(name)).join(', ')
  return `its object has ${found}, and none is "tools", "${FINAL_ANSWER}" or a tool; the nearest tools are ${names}`
}

function partsOf(text: string): readonly JsonPart[] {
  return isObjectText(text) ? (scanWhole(text)?.parts ?? []) : []
}

/** The object of these fields. */
function textOf(parts: readonly JsonPart[]): string {
  return `{${parts.map(({ key = '', text }) => `${JSON.stringify(key)}:${text}`).join(',')}}`
}
