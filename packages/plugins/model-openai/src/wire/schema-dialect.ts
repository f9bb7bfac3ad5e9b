import type { JsonSchema } from '@harnesswright/core'
import { type Fields, fieldsOf } from '../json-fields.js'

/** What strict endpoints do not take: with one of them the schema is sent as it is, and not strictly. */
const NOT_STRICT = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'prefixItems',
  'contains',
]

/**
 * The schema in the strict dialect: every object closed and every property required, those that may be left out nullable.
 * Undefined when the schema says what the dialect cannot say.
 */
export function strictSchema(schema: JsonSchema): JsonSchema | undefined {
  if (schema['type'] !== 'object' || schema['anyOf'] !== undefined) return undefined
  try {
    return strictOf(schema)
  } catch (error) {
    if (error === UNSAYABLE) return undefined
    throw error
  }
}

const UNSAYABLE = Symbol('the strict dialect cannot say this')

function strictOf(schema: Fields): Fields {
  if (NOT_STRICT.some((word) => schema[word] !== undefined)) throw UNSAYABLE
  const { default: _, ...kept } = schema
  const lists = mapFields(kept, ['anyOf'], (list) => (list as unknown[]).map(strictSub))
  const named = mapFields(lists, ['$defs', 'definitions'], (defs) => mapValues(fieldsOf(defs) ?? {}, strictSub))
  const items = mapFields(named, ['items'], strictSub)
  if (items['type'] !== 'object' && items['properties'] === undefined) return items
  return closedObject(items)
}

/** A schema within a schema. `true` and the empty schema allow anything, which strict endpoints do not. */
function strictSub(schema: unknown): Fields {
  const fields = fieldsOf(schema)
  if (fields === undefined || Object.keys(fields).length === 0) throw UNSAYABLE
  return strictOf(fields)
}

function closedObject(schema: Fields): Fields {
  const { additionalProperties } = schema
  if (additionalProperties !== undefined && additionalProperties !== false) throw UNSAYABLE
  const required = new Set(requiredOf(schema))
  const properties = fieldsOf(schema['properties']) ?? {}
  const entries = Object.entries(properties).map(([name, sub]): [string, Fields] => {
    const strict = strictSub(sub)
    return [name, required.has(name) ? strict : nullable(strict)]
  })
  return {
    ...schema,
    properties: Object.fromEntries(entries),
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

function nullable(schema: Fields): Fields {
  return allowsNull(schema) ? schema : { anyOf: [schema, { type: 'null' }] }
}

function allowsNull(schema: Fields): boolean {
  const { type, anyOf } = schema
  if (Array.isArray(anyOf)) return anyOf.some((one) => fieldsOf(one)?.['type'] === 'null')
  return type === 'null' || (Array.isArray(type) && type.includes('null'))
}

function requiredOf(schema: Fields): readonly string[] {
  return Array.isArray(schema['required']) ? schema['required'] : []
}

function mapFields(schema: Fields, names: readonly string[], map: (value: unknown) => unknown): Fields {
  const changed = names.filter((name) => schema[name] !== undefined).map((name) => [name, map(schema[name])])
  return changed.length === 0 ? schema : { ...schema, ...Object.fromEntries(changed) }
}

function mapValues(fields: Fields, map: (value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]))
}

/**
 * The reply to a strict schema in the words of the schema that was asked with: a null that stands for a property left out
 * is taken out again. A text that is no JSON stays as it is.
 */
export function restoreOptional(text: string, schema: JsonSchema): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  const restored = restore(value, schema, schema)
  return restored === value ? text : JSON.stringify(restored)
}

function restore(value: unknown, schema: unknown, root: Fields): unknown {
  const fields = resolve(fieldsOf(schema), root)
  if (fields === undefined) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => restore(item, fields['items'], root))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  const object = fieldsOf(value)
  const properties = fieldsOf(fields['properties'])
  if (object === undefined || properties === undefined) return value
  const required = requiredOf(fields)
  const kept = Object.entries(object).filter(
    ([name, item]) =>
      item !== null ||
      required.includes(name) ||
      allowsNull(resolve(fieldsOf(properties[name]), root) ?? { type: 'null' }),
  )
  const restored = kept.map(([name, item]) => [name, restore(item, properties[name], root)] as const)
  const isSame =
    restored.length === Object.keys(object).length && restored.every(([name, item]) => item === object[name])
  return isSame ? value : Object.fromEntries(restored)
}

/** The schema that a local reference points at. */
function resolve(schema: Fields | undefined, root: Fields): Fields | undefined {
  const ref = schema?.['$ref']
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema
  let found: unknown = root
  for (const part of ref.slice(2).split('/'))
    found = fieldsOf(found)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  return fieldsOf(found)
}
