import type { ModelRequest } from '@harnesswright/core'
import { fillSchema } from './fill-schema.js'
import { research } from './forms/research.js'
import type { Mind } from './mind.js'
import type { WantedCall } from './options.js'
import type { PlanItem, Slots } from './slots.js'
import { writeAnswer } from './writing.js'

/** What a reply says, before its size is cut and its price is counted. */
export interface Draft {
  readonly content: string
  readonly calls: readonly WantedCall[]
  /** Properties of the schema that nothing was known for. */
  readonly unfilled: readonly string[]
}

/** What is said, before it takes the shape that the request asks for. */
export interface Saying {
  readonly text: string
  readonly items?: readonly PlanItem[]
  readonly answer?: string
  readonly calls?: readonly WantedCall[]
  /** What a schema may ask for beside. */
  readonly more?: Partial<Slots>
}

/** The text, or the schema filled with it. */
export function shapeText(saying: Saying, { schema }: ModelRequest, mind: Mind): Draft {
  const { text, items = [], answer = '', calls = [], more = {} } = saying
  if (schema === undefined) return { content: text, calls: [], unfilled: [] }
  const slots: Slots = {
    text,
    answer: answer === '' && calls.length === 0 ? writeAnswer(mind) : answer,
    thought: `${mind.done.length} of ${mind.sight.problem.goals.length} goals are done.`,
    items,
    calls,
    ...research(mind),
    isDone: mind.open.length === 0,
    ...more,
  }
  const { value, unfilled } = fillSchema(schema, slots)
  return { content: JSON.stringify(value), calls: [], unfilled }
}

/** Calls: native, or in JSON where the schema takes them. */
export function shapeCalls(
  saying: Saying & { readonly calls: readonly WantedCall[] },
  request: ModelRequest,
  mind: Mind,
): Draft {
  const { schema } = request
  if (schema === undefined || !takesCalls(schema, saying.calls))
    return { content: saying.text, calls: saying.calls, unfilled: [] }
  return shapeText(saying, request, mind)
}

/** An answer: as it is, or as JSON where it is that already, or by the slots of the schema. */
export function shapeAnswer(
  answer: string,
  request: ModelRequest,
  { mind, more = {} }: { mind: Mind; more?: Partial<Slots> },
): Draft {
  const required = (request.schema?.['required'] ?? []) as readonly string[] // by JSON Schema
  const value = parseObject(answer)
  if (value !== undefined && required.every((name) => name in value))
    return { content: answer, calls: [], unfilled: [] }
  return shapeText({ text: answer, answer, more }, request, mind)
}

/** True for the schema of a reply that writes its calls as JSON: in a list, or each under the name of its tool. */
function takesCalls(schema: NonNullable<ModelRequest['schema']>, calls: readonly WantedCall[]): boolean {
  const properties = schema['properties']
  if (typeof properties !== 'object' || properties === null) return false
  return 'tools' in properties || calls.some(({ name }) => Object.hasOwn(properties, name))
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
