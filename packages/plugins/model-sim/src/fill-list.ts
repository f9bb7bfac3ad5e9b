import type { Json, JsonSchema } from '@harnesswright/core'
import { type Filling, fitting, idAs, itemsOf, parseOr, type Rule, type Subject } from './filling.js'
import { typeOf } from './json-schema.js'
import { FORMS } from './profiles.js'

const LIST = /^(?:goals|subtasks|steps|add_nodes|delegate)$/i
const DEPENDENCY = /depend/i
const QUERIES = /quer|keyword|needs|requests/i
const IDS = /^(?:ids|page_index|sources|compress_range|context_ids)$/i
const PATHS = /^(?:paths|approaches|alternatives)$/i
const LINKS = /edges|links|relations/i
const NEXT = /next|action|todo|open|remain/i
const TROUBLE = /challenge|obstacle|problem|error|rule|lesson|fail/i

/** What fills an array, by its name: the first rule that has a value. */
export const LIST_RULES: readonly Rule[] = [
  fillCalls,
  fillToolNames,
  fillItems,
  fillDrops,
  fillLinks,
  fillScores,
  fillDependencies,
  fillPaths,
  fillIds,
  fillQueries,
  fillUsedTools,
  fillSpoken,
  fillParts,
]

function propertiesOf(schema: JsonSchema, filling: Filling): Readonly<Record<string, unknown>> {
  return (itemsOf(schema, filling)['properties'] ?? {}) as Readonly<Record<string, unknown>> // by JSON Schema
}

/** One object a subject. */
function fillEach(subjects: readonly Subject[], schema: JsonSchema, filling: Filling): Json {
  const of = itemsOf(schema, filling)
  return fitting(subjects, schema).map((subject, index) =>
    filling.fillValue(of, { ...filling, subject, path: `${filling.path}/${index}` }),
  )
}

function fillCalls(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  if (name !== 'tools' || !('arguments' in propertiesOf(schema, filling))) return undefined
  const beside = (filling.root['properties'] ?? {}) as object // by JSON Schema: calls that stand under their own names
  const calls = filling.slots.calls.filter((call) => !Object.hasOwn(beside, call.name))
  return calls.map((call) => ({ name: call.name, arguments: parseOr(call.arguments) }))
}

/** Tools of which the schema lists the names: all of them. */
function fillToolNames(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const names = itemsOf(schema, filling)['enum']
  return /^tools$/i.test(name) && Array.isArray(names) ? fitting(names as Json[], schema) : undefined
}

function fillItems(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  if (!LIST.test(name) || filling.item !== undefined) return undefined
  const of = itemsOf(schema, filling)
  const items = fitting(filling.slots.items, schema)
  if (typeOf(of) === 'string') return items.map((item) => item.text)
  return items.map((item, index) => filling.fillValue(of, { ...filling, item, path: `${filling.path}/${index}` }))
}

/** Entries to be flushed, one an object or by their ids; entries to be folded, with their note. */
function fillDrops(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const { drop } = filling.slots
  if (drop === undefined || !/flush|fold/i.test(name)) return undefined
  const type = typeOf(itemsOf(schema, filling))
  if (/flush/i.test(name)) {
    if (type !== 'object') return fitting(drop.flush, schema).map((id) => idAs(type, id))
    return fillEach(
      drop.flush.map((id) => ({ ids: [id], text: filling.slots.thought })),
      schema,
      filling,
    )
  }
  return fillEach(
    drop.folds.map(({ ids, notes }) => ({ ids, text: notes })),
    schema,
    filling,
  )
}

function fillLinks(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const { links } = filling.slots
  if (links === undefined || !LINKS.test(name)) return undefined
  return fillEach(
    links.map((link) => ({ link, text: filling.slots.thought })),
    schema,
    filling,
  )
}

/** One score a candidate, as a share of the best. */
function fillScores(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const { verdict } = filling.slots
  if (verdict === undefined || !/score|rating/i.test(name)) return undefined
  const best = Math.max(...verdict.scores.map(([, score]) => score))
  const scores = verdict.scores.map(([number, score]) => ({ number, score: best > 0 ? score / best : 0 }))
  const of = itemsOf(schema, filling)
  if (typeOf(of) !== 'object') return scores.map(({ score }) => scaleScore(score, of))
  return fillEach(
    scores.map((candidate) => ({ candidate, text: filling.slots.thought })),
    schema,
    filling,
  )
}

/** A share of 1 on the scale of the schema: up to its maximum, whole numbers where it wants them. */
export function scaleScore(share: number, schema: JsonSchema): number {
  const most = typeof schema['maximum'] === 'number' ? schema['maximum'] : typeOf(schema) === 'integer' ? 10 : 1
  const least = typeof schema['minimum'] === 'number' ? schema['minimum'] : 0
  const score = least + (most - least) * share
  return typeOf(schema) === 'integer' ? Math.round(score) : Number(score.toFixed(2))
}

/** Beside a list nothing, inside an item the ids of those before it. */
function fillDependencies(name: string, _schema: JsonSchema, { item }: Filling): Json | undefined {
  if (!DEPENDENCY.test(name)) return undefined
  return item === undefined ? [] : [...item.dependsOn]
}

/** An item has one way: its own wording. */
function fillPaths(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const { item } = filling
  if (!PATHS.test(name) || item === undefined) return undefined
  const of = itemsOf(schema, filling)
  return typeOf(of) === 'string' ? [item.text] : [filling.fillValue(of, { ...filling, path: `${filling.path}/0` })]
}

function fillIds(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  if (!IDS.test(name)) return undefined
  const { slots, subject } = filling
  const ids = subject?.ids ?? slots.entryIds
  return ids && fitting(ids, schema).map((id) => idAs(typeOf(itemsOf(schema, filling)), id))
}

function fillQueries(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  if (!QUERIES.test(name) || typeOf(itemsOf(schema, filling)) !== 'string') return undefined
  return fitting(filling.slots.queries, schema, FORMS.looksAtOnce)
}

/** What is remembered of tools, one object a tool that was called. */
function fillUsedTools(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const { parts } = filling.slots
  if (parts === undefined || !/tool/i.test(name)) return undefined
  if (typeOf(itemsOf(schema, filling)) !== 'object') {
    return fitting(
      parts.tools.map((tool) => tool.name),
      schema,
    )
  }
  const subjects = parts.tools.map((tool) => ({
    tool: tool.name,
    text: `${tool.name} was called ${tool.times} times.`,
  }))
  return fillEach(subjects, schema, filling)
}

/** Messages: what the item or the whole has to say, said by the model. */
function fillSpoken(_name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const properties = propertiesOf(schema, filling)
  if (!('role' in properties) || !('content' in properties)) return undefined
  return [{ role: 'assistant', content: filling.item?.text ?? filling.slots.text }]
}

/** A list of sentences of a summary: facts, unless it asks for what is next or for what went wrong. */
function fillParts(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const { parts } = filling.slots
  if (parts === undefined || typeOf(itemsOf(schema, filling)) !== 'string') return undefined
  if (NEXT.test(name)) return fitting(parts.next, schema)
  return fitting(TROUBLE.test(name) ? parts.troubles : parts.facts, schema)
}
