import type { Json, JsonSchema } from '@harnesswright/core'
import { charNotOf, choice, type Part, type RuleBook, row, text } from './grammar.js'
import { anyList, anyObject, anyValue, COMMA, listOf } from './json-rules.js'
import { mergeSchemas } from './merge-schemas.js'
import { objectPart } from './object-part.js'
import { integerPart, numberPart, stringPart } from './scalar-part.js'
import {
  badSchema,
  below,
  countOf,
  type Fields,
  fieldsOf,
  itemsOf,
  jsonText,
  type Place,
  resolveRef,
  shapes,
  without,
} from './schema-view.js'

/** Schemas in a schema, each as often as it is used in another way, before it is too large. */
const MAX_SCHEMAS = 5_000

/** What the parts of one schema are made with. */
export interface Making {
  readonly book: RuleBook
  /** Rules of references by what they say, so that a schema may refer to itself. */
  readonly refs: Map<string, Part>
  /** The part of a schema; undefined where no value fits. */
  partOf(schema: unknown, here: Place): Part | undefined
}

/**
 * What the text of a value of a JSON Schema may be: objects with their properties in the order of the schema and none
 * besides, lists, strings with their lengths, numbers, enumerations, alternatives, references.
 *
 * What a grammar cannot say (patterns, multiples, bounds of fractions, distinct items, conditions) is left out: a text of
 * the grammar is to be validated against the schema.
 *
 * @throws HarnessError `E_MODEL_BAD_REQUEST` when no text fits the schema, or it refers to what is not there.
 */
export function partOfSchema(schema: JsonSchema, book: RuleBook): Part {
  let left = MAX_SCHEMAS
  const making: Making = {
    book,
    refs: new Map(),
    partOf(value, here) {
      left -= 1
      if (left < 0) throw badSchema(here, `holds more than ${MAX_SCHEMAS} schemas`)
      return partOf(value, here, making)
    },
  }
  const place: Place = { root: schema, at: '', depth: 0 }
  const part = making.partOf(schema, place)
  if (part === undefined) throw badSchema(place, 'fits no value')
  return part
}

/** The part of the arguments of a tool: always an object. */
export function partOfArguments(parameters: JsonSchema, book: RuleBook): Part {
  return shapes(parameters) ? partOfSchema(parameters, book) : anyObject(book)
}

function partOf(schema: unknown, here: Place, making: Making): Part | undefined {
  if (schema === true) return anyValue(making.book)
  if (schema === false) return undefined
  const fields = fieldsOf(schema)
  if (fields === undefined) throw badSchema(here, 'is no schema')
  if (typeof fields['$ref'] === 'string') return refPart(fields['$ref'], without(fields, '$ref'), here, making)
  if (itemsOf(fields['allOf']) !== undefined) return allPart(fields, here, making)
  const union = (['anyOf', 'oneOf'] as const).find((name) => itemsOf(fields[name]) !== undefined)
  return union === undefined ? valuePart(fields, here, making) : unionPart(union, fields, here, making)
}

function refPart(ref: string, siblings: Fields, here: Place, making: Making): Part | undefined {
  if (shapes(siblings)) return making.partOf({ ...siblings, allOf: [{ $ref: ref }] }, below(here, '$ref'))
  const known = making.refs.get(ref)
  if (known !== undefined) return known
  const target = plainFields({ $ref: ref }, here) // it also finds out that a reference leads to itself
  if (target === undefined) return undefined
  const rule = making.book.reserve(ref)
  making.refs.set(ref, rule.ref)
  const part = making.partOf(target, { ...below(here, '$ref'), at: ref.slice(1) })
  rule.define(part ?? charNotOf('\x00-\u{10ffff}')) // no text at all, for what already refers to it
  return part === undefined ? undefined : rule.ref
}

function allPart(fields: Fields, here: Place, making: Making): Part | undefined {
  const all = itemsOf(fields['allOf']) ?? []
  let merged: Fields = without(fields, 'allOf')
  for (const [index, one] of all.entries()) {
    const plain = plainFields(one, below(here, 'allOf', index))
    if (plain === undefined) return undefined
    merged = mergeSchemas(merged, plain)
  }
  return making.partOf(merged, below(here, 'allOf'))
}

function unionPart(name: 'anyOf' | 'oneOf', fields: Fields, here: Place, making: Making): Part | undefined {
  const base = without(fields, name)
  const parts = (itemsOf(fields[name]) ?? []).flatMap((one, index) => {
    const there = below(here, name, index)
    return making.partOf(shapes(base) ? { allOf: [base, one] } : one, there) ?? []
  })
  return parts.length === 0 ? undefined : choice(...parts)
}

/** The fields of a schema, through references to it; undefined where no value fits. */
function plainFields(schema: unknown, here: Place): Fields | undefined {
  let merged: Fields = {}
  let next = schema
  for (const seen = new Set<string>(); ; ) {
    if (next === false) return undefined
    const fields = next === true ? {} : fieldsOf(next)
    if (fields === undefined) throw badSchema(here, 'is no schema')
    merged = mergeSchemas(without(fields, '$ref'), merged)
    const ref = fields['$ref']
    if (typeof ref !== 'string') return merged
    if (seen.has(ref)) throw badSchema(here, `refers to itself through ${JSON.stringify(ref.slice(0, 100))}`)
    seen.add(ref)
    next = resolveRef(ref, here)
  }
}

function valuePart(fields: Fields, here: Place, making: Making): Part | undefined {
  if (Object.hasOwn(fields, 'const')) return text(jsonText(fields['const'] as Json))
  const values = itemsOf(fields['enum'])
  const types = typesOf(fields)
  const parts =
    values === undefined
      ? types?.flatMap((type) => partOfType(type, fields, here, making) ?? [])
      : values.map((one) => text(jsonText(one as Json)))
  if (parts === undefined) return anyValue(making.book)
  return parts.length === 0 ? undefined : choice(...parts)
}

function partOfType(type: unknown, fields: Fields, here: Place, making: Making): Part | undefined {
  switch (type) {
    case 'object':
      return objectPart(fields, here, making)
    case 'array':
      return listPart(fields, here, making)
    case 'string':
      return stringPart(fields, making.book)
    case 'integer':
      return integerPart(fields)
    case 'number':
      return numberPart(fields)
    case 'boolean':
      return choice(text('true'), text('false'))
    case 'null':
      return text('null')
    default:
      throw badSchema(here, `has the type ${JSON.stringify(type)}, which there is not`)
  }
}

/** The types of a schema, said or told by its other fields; undefined for any. */
function typesOf(fields: Fields): readonly unknown[] | undefined {
  const { type } = fields
  const types = itemsOf(type) ?? (type === undefined ? impliedTypes(fields) : [type])
  return types !== undefined && fields['nullable'] === true && !types.includes('null') ? [...types, 'null'] : types
}

const IMPLIED: readonly (readonly [type: string, fields: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
  ['string', ['minLength', 'maxLength', 'format', 'pattern']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']],
]

function impliedTypes(fields: Fields): readonly string[] | undefined {
  const found = IMPLIED.find(([, names]) => names.some((name) => Object.hasOwn(fields, name)))
  return found === undefined ? undefined : [found[0]]
}

function listPart(fields: Fields, here: Place, making: Making): Part | undefined {
  const { book } = making
  const min = countOf(fields['minItems']) ?? 0
  const max = countOf(fields['maxItems'])
  const first = itemsOf(fields['prefixItems']) ?? []
  if (first.length > 0) return tuplePart(first, here, making)
  if (fields['items'] === undefined) {
    return min === 0 && max === undefined ? anyList(book) : listOf(anyValue(book), min, max)
  }
  const item = making.partOf(fields['items'], below(here, 'items'))
  if (item === undefined) return min === 0 ? text('[]') : undefined
  return listOf(book.add('item', item), min, max)
}

/** A list of just its first items, one of each. */
function tuplePart(first: readonly unknown[], here: Place, making: Making): Part | undefined {
  const parts: Part[] = []
  for (const [index, one] of first.entries()) {
    const part = making.partOf(one, below(here, 'prefixItems', index))
    if (part === undefined) return undefined
    parts.push(...(index === 0 ? [part] : [COMMA, part]))
  }
  return row(text('['), ...parts, text(']'))
}
