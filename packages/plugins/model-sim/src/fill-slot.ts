import type { Json, JsonSchema } from '@harnesswright/core'
import { resolveSchema, typeOf } from './json-schema.js'
import type { PlanItem, Slots } from './slots.js'

/** Where a filler is in a schema, and what it has to say. */
export interface Filling {
  readonly slots: Slots
  /** The item whose object is being filled. */
  readonly item?: PlanItem
  readonly root: JsonSchema
  readonly unfilled: string[]
  /** JSON pointer of the value. */
  readonly path: string
  readonly depth: number
  /** Fills a value by its type. */
  fillValue(schema: JsonSchema, filling: Filling): Json
}

/** Fills one property of an object by its name, or not at all. */
type Rule = (name: string, schema: JsonSchema, filling: Filling) => Json | undefined

const THOUGHT = /think|reason|rationale|explanation/i
const LIST = /^(?:goals|subtasks|steps|add_nodes|delegate)$/i
const ID = /^(?:id|index|tmp_id)$/i
const DEPENDENCY = /depend/i
const STATUS = /status|state$/i
const DONE = /done|enough|complete/i
const ATOMIC = /atomic/i
const ANSWER = /answer|result/i
const QUERIES = /quer|keyword|needs|requests/i

/** By type, the first rule that has a value. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  array: [fillCalls, fillItems, fillDependencies, fillQueries],
  string: [fillThought, fillId, fillStatus, fillAnswer, fillWording],
  integer: [fillId],
  number: [fillId],
  boolean: [fillVerdict],
  object: [fillDependencies, fillParsedAnswer],
}

/** A value for the property of that name; undefined when nothing is known that would fit. */
export function fillSlot(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const resolved = resolveSchema(schema, filling.root)
  if ('const' in resolved) return resolved['const'] as Json // JSON by the definition of JSON Schema
  for (const rule of RULES[typeOf(resolved)] ?? []) {
    const value = rule(name, resolved, filling)
    if (value !== undefined) return value
  }
  return undefined
}

function itemsOf(schema: JsonSchema, { root }: Filling): JsonSchema {
  return resolveSchema((schema['items'] ?? {}) as JsonSchema, root) // by JSON Schema
}

function fillCalls(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const properties = itemsOf(schema, filling)['properties']
  if (name !== 'tools' || typeof properties !== 'object' || !('arguments' in (properties ?? {}))) return undefined
  return filling.slots.calls.map((call) => ({ name: call.name, arguments: parseOr(call.arguments) }))
}

function fillItems(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  if (!LIST.test(name) || filling.item !== undefined) return undefined
  const of = itemsOf(schema, filling)
  const most = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : Number.POSITIVE_INFINITY
  const items = filling.slots.items.slice(0, most)
  if (typeOf(of) === 'string') return items.map((item) => item.text)
  return items.map((item, index) => filling.fillValue(of, { ...filling, item, path: `${filling.path}/${index}` }))
}

/** Beside a list the ids by id, inside an item those of that item. */
function fillDependencies(name: string, schema: JsonSchema, { item, slots }: Filling): Json | undefined {
  if (!DEPENDENCY.test(name)) return undefined
  if (typeOf(schema) === 'array') return item === undefined ? [] : [...item.dependsOn]
  return Object.fromEntries(slots.items.map((one) => [one.id, [...one.dependsOn]]))
}

function fillQueries(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  if (!QUERIES.test(name) || typeOf(itemsOf(schema, filling)) !== 'string') return undefined
  return [...filling.slots.queries]
}

function fillThought(name: string, _schema: JsonSchema, { slots }: Filling): Json | undefined {
  return THOUGHT.test(name) ? slots.thought : undefined
}

function fillId(name: string, schema: JsonSchema, { item }: Filling): Json | undefined {
  if (!ID.test(name) || item === undefined) return undefined
  return typeOf(schema) === 'string' ? item.id : Number(item.id)
}

/** The words in which schemas name each status. */
const STATUS_WORDS: Readonly<Record<PlanItem['status'], RegExp>> = {
  done: /done|complete|finish|closed/i,
  active: /active|progress|doing|current/i,
  open: /open|pending|todo|waiting|not/i,
}

function fillStatus(name: string, schema: JsonSchema, { item }: Filling): Json | undefined {
  const values = schema['enum']
  if (!STATUS.test(name) || item === undefined) return undefined
  if (!Array.isArray(values)) return item.status
  const fitting = values.find((value: unknown) => STATUS_WORDS[item.status].test(String(value)))
  return (fitting ?? undefined) as Json | undefined // JSON by the definition of JSON Schema
}

function fillAnswer(name: string, schema: JsonSchema, { slots }: Filling): Json | undefined {
  return ANSWER.test(name) && !('enum' in schema) ? slots.answer : undefined
}

function fillWording(_name: string, schema: JsonSchema, { slots, item }: Filling): Json | undefined {
  if ('enum' in schema) return undefined
  const text = item?.text ?? slots.text
  return typeof schema['maxLength'] === 'number' ? text.slice(0, schema['maxLength']) : text
}

function fillVerdict(name: string, _schema: JsonSchema, { slots }: Filling): Json | undefined {
  if (DONE.test(name)) return slots.isDone
  return ATOMIC.test(name) ? slots.items.length <= 1 : undefined
}

/** An answer that is an object itself. */
function fillParsedAnswer(name: string, _schema: JsonSchema, { slots }: Filling): Json | undefined {
  if (!ANSWER.test(name)) return undefined
  const value = parseOr(slots.answer)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

function parseOr(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
