import type { Json, JsonSchema } from '@harnesswright/core'
import { resolveSchema } from './json-schema.js'
import type { FoldRange, PlanItem, Slots } from './slots.js'

/** What an object in a list is about, where it is no item of a plan. */
export interface Subject {
  /** Entries that it names. */
  readonly ids?: readonly number[]
  /** Ends of an edge. */
  readonly link?: { readonly from: number | string; readonly to: string }
  readonly candidate?: { readonly number: number; readonly score: number }
  readonly tool?: string
  /** What it says. */
  readonly text: string
}

/** Where a filler is in a schema, and what it has to say. */
export interface Filling {
  readonly slots: Slots
  /** The item whose object is being filled. */
  readonly item?: PlanItem
  /** What the object that is being filled is about. */
  readonly subject?: Subject
  readonly root: JsonSchema
  readonly unfilled: string[]
  /** JSON pointer of the value. */
  readonly path: string
  readonly depth: number
  /** Fills a value by its type. */
  fillValue(schema: JsonSchema, filling: Filling): Json
}

/** Fills one property of an object by its name, or not at all. */
export type Rule = (name: string, schema: JsonSchema, filling: Filling) => Json | undefined

/** The schema of the items of an array. */
export function itemsOf(schema: JsonSchema, { root }: Filling): JsonSchema {
  return resolveSchema((schema['items'] ?? {}) as JsonSchema, root) // by JSON Schema
}

/** The first of them, as many as the schema takes. */
export function fitting<T>(values: readonly T[], schema: JsonSchema, usual: number = Number.POSITIVE_INFINITY): T[] {
  const most = schema['maxItems']
  return values.slice(0, typeof most === 'number' ? most : usual)
}

/** The value of a JSON text, else the text. */
export function parseOr(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** An id in the type that the schema wants. */
export function idAs(type: string, id: number | string): Json {
  return type === 'string' ? String(id) : Number(id)
}

/** A fold as the subject of an object: its steps and its text. */
export function subjectOfFold({ first, last, text }: FoldRange): Subject {
  return { ids: Array.from({ length: last - first + 1 }, (_, index) => first + index), text }
}
