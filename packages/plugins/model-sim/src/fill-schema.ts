import type { Json, JsonSchema } from '@harnesswright/core'
import { fillSlot } from './fill-slot.js'
import type { Filling } from './filling.js'
import { resolveSchema, typeOf } from './json-schema.js'
import type { Slots } from './slots.js'

/** A filled schema. */
export interface Filled {
  readonly value: Json
  /** Properties that nothing was known for, as JSON pointers: filled by type with the smallest valid value. */
  readonly unfilled: readonly string[]
}

/** How deep a schema is followed: recursive ones end there. */
const MOST_DEPTH = 12

/**
 * Fills any JSON Schema: property names say what is asked for; what has no known name is filled by its type.
 *
 * @param about - What the whole value is about, where it is one item of a plan, one entry, one candidate.
 */
export function fillSchema(schema: JsonSchema, slots: Slots, about: Pick<Filling, 'item' | 'subject'> = {}): Filled {
  const unfilled: string[] = []
  const value = fillValue(schema, { ...about, slots, root: schema, unfilled, path: '', depth: 0, fillValue })
  return { value, unfilled }
}

/** A value for a schema, whatever its name: objects by their properties, all else the smallest that is valid. */
function fillValue(schema: JsonSchema, filling: Filling): Json {
  const resolved = resolveSchema(schema, filling.root)
  if ('const' in resolved) return resolved['const'] as Json // JSON by the definition of JSON Schema
  if (Array.isArray(resolved['enum'])) return (resolved['enum'][0] ?? null) as Json
  switch (typeOf(resolved)) {
    case 'object':
      return fillObject(resolved, filling)
    case 'array':
      return fillArray(resolved, filling)
    case 'string':
      return ''.padEnd(numberOf(resolved, 'minLength', 0), '.')
    case 'integer':
    case 'number':
      return smallestNumber(resolved)
    case 'boolean':
      return false
    default:
      return null
  }
}

function fillObject(schema: JsonSchema, filling: Filling): Json {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>> // by JSON Schema
  const required = (schema['required'] ?? []) as readonly string[] // by JSON Schema
  const entries: [string, Json][] = []
  for (const [name, property] of Object.entries(properties)) {
    const path = `${filling.path}/${name}`
    const known = fillSlot(name, property, { ...filling, path, depth: filling.depth + 1 })
    if (known !== undefined) entries.push([name, known])
    else if (required.includes(name)) {
      if (typeOf(resolveSchema(property, filling.root)) !== 'object') filling.unfilled.push(path)
      entries.push([name, fillValue(property, { ...filling, path, depth: filling.depth + 1 })])
    }
  }
  return Object.fromEntries(entries)
}

function fillArray(schema: JsonSchema, filling: Filling): Json {
  const items = (schema['items'] ?? {}) as JsonSchema // by JSON Schema
  const count = filling.depth > MOST_DEPTH ? 0 : numberOf(schema, 'minItems', 0)
  return Array.from({ length: count }, (_, index) =>
    fillValue(items, { ...filling, path: `${filling.path}/${index}`, depth: filling.depth + 1 }),
  )
}

function smallestNumber(schema: JsonSchema): number {
  const least = numberOf(schema, 'minimum', numberOf(schema, 'exclusiveMinimum', -1) + 1)
  return Math.min(least, numberOf(schema, 'maximum', least))
}

function numberOf(schema: JsonSchema, key: string, fallback: number): number {
  const value = schema[key]
  return typeof value === 'number' ? value : fallback
}
