import type { Json, JsonSchema } from '@harnesswright/core'
import { LIST_RULES, scaleScore } from './fill-list.js'
import { type Filling, idAs, parseOr, type Rule, subjectOfFold } from './filling.js'
import { resolveSchema, typeOf } from './json-schema.js'
import type { PlanItem } from './slots.js'

const THOUGHT = /think|reason|rationale|explanation/i
const ID = /^(?:id|index|tmp_id)$/i
const DEPENDENCY = /depend/i
const STATUS = /status|state$/i
const DONE = /done|enough|complete/i
const ATOMIC = /atomic/i
const ANSWER = /answer|result/i
const CHOICE = /select|choice|best|winner|expert|candidate|rollout/i
const CONTEXT = /context/i
const FROM = /^(?:src|source|from|start|first)(?:_?(?:id|step|node))?$/i
const TO = /^(?:dst|target|to|end|until|last)(?:_?(?:id|step|node))?$/i
const NOT_SAID = /^(?:model|tier)$/i

/** By type, the first rule that has a value. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  array: LIST_RULES,
  string: [fillThought, fillId, fillEnd, fillStatus, fillKind, fillTool, fillAnswer, fillChoice, fillPart, fillWording],
  integer: [fillId, fillStep, fillEnd, fillChoice, fillScore],
  number: [fillId, fillEnd, fillChoice, fillScore],
  boolean: [fillVerdict],
  object: [fillDependencies, fillFold, fillParsedAnswer, fillArguments, fillFinish],
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

/** Beside a list the ids by id. */
function fillDependencies(name: string, _schema: JsonSchema, { slots }: Filling): Json | undefined {
  if (!DEPENDENCY.test(name)) return undefined
  return Object.fromEntries(slots.items.map((one) => [one.id, [...one.dependsOn]]))
}

function fillThought(name: string, _schema: JsonSchema, { slots }: Filling): Json | undefined {
  return THOUGHT.test(name) ? slots.thought : undefined
}

function fillId(name: string, schema: JsonSchema, { item, subject }: Filling): Json | undefined {
  const id = subject?.ids?.[0] ?? subject?.candidate?.number ?? item?.id
  return ID.test(name) && id !== undefined ? idAs(typeOf(schema), id) : undefined
}

/** The step that an item is on. */
function fillStep(name: string, _schema: JsonSchema, { item }: Filling): Json | undefined {
  return /^step$/i.test(name) ? item?.step : undefined
}

/** The ends of an edge, or of the stretch that is folded. */
function fillEnd(name: string, schema: JsonSchema, { subject, slots }: Filling): Json | undefined {
  const { from, to } = subject?.link ?? { from: slots.fold?.first, to: slots.fold?.last }
  const end = FROM.test(name) ? from : TO.test(name) ? to : undefined
  return end === undefined ? undefined : idAs(typeOf(schema), end)
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

function fillKind(name: string, schema: JsonSchema, { item }: Filling): Json | undefined {
  const values = schema['enum']
  const kind = item?.kind
  return /kind|type/i.test(name) && Array.isArray(values) && values.includes(kind) ? kind : undefined
}

function fillTool(name: string, _schema: JsonSchema, { subject }: Filling): Json | undefined {
  return /tool|name/i.test(name) ? subject?.tool : undefined
}

function fillAnswer(name: string, schema: JsonSchema, { slots }: Filling): Json | undefined {
  return ANSWER.test(name) && !('enum' in schema) && !lacksAnswer(slots) ? slots.answer : undefined
}

/** True for a reply that makes calls and does not answer yet. */
function lacksAnswer({ answer, calls }: Filling['slots']): boolean {
  return answer === '' && calls.length > 0
}

/** The number of a candidate: of the one that an object is about, else of the best. Names are found by their number. */
function fillChoice(name: string, schema: JsonSchema, { slots, subject }: Filling): Json | undefined {
  const number = subject?.candidate?.number ?? slots.verdict?.best
  if (number === undefined || !CHOICE.test(name)) return undefined
  const values = schema['enum']
  if (!Array.isArray(values)) return idAs(typeOf(schema), number)
  const named = values.find((value: unknown) => /\d+/.exec(String(value))?.[0] === String(number))
  return (named ?? values[number - 1]) as Json | undefined // JSON by the definition of JSON Schema
}

/** Any number that is told of a candidate is its score. */
function fillScore(_name: string, schema: JsonSchema, { subject }: Filling): Json | undefined {
  return subject?.candidate === undefined ? undefined : scaleScore(subject.candidate.score, schema)
}

/** A part of a summary: what is next, what went wrong, what the task is; else it is a text like any other. */
function fillPart(name: string, schema: JsonSchema, { slots, subject, item }: Filling): Json | undefined {
  const { parts } = slots
  if (parts === undefined || subject !== undefined || item !== undefined || 'enum' in schema) return undefined
  if (/next|action|goal|open|remain/i.test(name)) return parts.open
  if (/challenge|obstacle|problem|error|rule|lesson|fail/i.test(name)) return parts.troubles.join('; ') || 'None.'
  if (/task|question/i.test(name)) return parts.task
  return /progress|fact|event|finding/i.test(name) ? parts.told : undefined
}

function fillWording(name: string, schema: JsonSchema, { slots, item, subject }: Filling): Json | undefined {
  if ('enum' in schema || NOT_SAID.test(name) || (ANSWER.test(name) && lacksAnswer(slots))) return undefined
  const isContext = CONTEXT.test(name) && item !== undefined
  const text = isContext ? (item.context ?? '') : (subject?.text ?? item?.text ?? slots.text)
  return typeof schema['maxLength'] === 'number' ? text.slice(0, schema['maxLength']) : text
}

function fillVerdict(name: string, _schema: JsonSchema, { slots }: Filling): Json | undefined {
  if (DONE.test(name)) return slots.isDone
  return ATOMIC.test(name) ? (slots.isAtomic ?? slots.items.length <= 1) : undefined
}

/** The stretch that is folded beside the calls of a reply. */
function fillFold(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const { fold } = filling.slots
  if (fold === undefined || !/^compress$/i.test(name)) return undefined
  return filling.fillValue(schema, { ...filling, subject: subjectOfFold(fold) })
}

/** An answer that is an object itself. */
function fillParsedAnswer(name: string, _schema: JsonSchema, filling: Filling): Json | undefined {
  if (!ANSWER.test(name)) return undefined
  const value = parseOr(filling.slots.answer)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** The arguments of a call, under the name of its tool. */
function fillArguments(name: string, _schema: JsonSchema, { slots }: Filling): Json | undefined {
  const call = slots.calls.find((one) => one.name === name)
  return call === undefined ? undefined : parseOr(call.arguments)
}

/** An answer inside an object that ends the run, where there is an answer. */
function fillFinish(name: string, schema: JsonSchema, filling: Filling): Json | undefined {
  const { answer } = filling.slots
  return answer === '' || !/^fin(?:al|ish)/i.test(name) ? undefined : filling.fillValue(schema, filling)
}
