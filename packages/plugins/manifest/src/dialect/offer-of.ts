import type { Json } from '@harnesswright/core'
import { isRecord, type JsonRecord, valueAt } from '../pointer.js'
import { followRef } from '../schema-walk.js'
import { type FieldOffer, isOffered, type Offer, type Scalar } from './offer.js'

/** Longest text that a composer writes, in characters. */
const MAX_TEXT = 200
/** Most items of a list that a composer writes. */
const MAX_ITEMS = 8

/** Keywords that say nothing of the value. */
const NOTES = [
  '$schema',
  '$defs',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'buckets',
  'host',
]
/** Keywords of each kind of value that an offer keeps to. With another one not every choice would be valid. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  boolean: ['type'],
  number: ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'],
  string: ['type', 'minLength', 'maxLength'],
  array: ['type', 'items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['type', 'properties', 'required', 'additionalProperties'],
}

/** Where an offer is made. */
interface Place {
  /** The schema into which local references point. */
  readonly root: JsonRecord
  /** Levels of objects that are left. */
  readonly depth: number
  /** References that were followed to get here. */
  readonly refs: readonly string[]
}

/**
 * What a dialect can offer of a schema; undefined when that is nothing. Numbers are chosen among the buckets of the option,
 * texts are short, and nothing is offered of which some choice could be invalid.
 */
export function offerOf(schema: unknown, root: JsonRecord, depth: number): Offer | undefined {
  return isRecord(schema) ? offerAt(schema, { root, depth, refs: [] }) : undefined
}

function offerAt(schema: JsonRecord, place: Place): Offer | undefined {
  const { $ref, anyOf, oneOf, enum: values, const: constant } = schema
  if (typeof $ref === 'string') return offerOfRef($ref, schema, place)
  if (Array.isArray(anyOf)) return hasOnly(schema, ['anyOf']) ? unionOf(anyOf, place) : undefined
  if (Array.isArray(oneOf))
    return hasOnly(schema, ['oneOf']) && areApart(oneOf, place) ? unionOf(oneOf, place) : undefined
  if (constant !== undefined) return hasOnly(schema, ['const', 'type']) ? choiceOf([constant], schema) : undefined
  if (Array.isArray(values)) return hasOnly(schema, ['enum', 'type']) ? choiceOf(values, schema) : undefined
  const type = schema['type'] === 'integer' ? 'number' : schema['type']
  const kept = typeof type === 'string' ? KEPT[type] : undefined
  if (kept === undefined || !hasOnly(schema, kept)) return undefined
  if (type === 'boolean') return { kind: 'boolean' }
  if (type === 'number') return choiceOf([], schema)
  if (type === 'string') return textOf(schema)
  return type === 'array' ? listOf(schema, place) : objectOf(schema, place)
}

function offerOfRef($ref: string, schema: JsonRecord, { root, depth, refs }: Place): Offer | undefined {
  const target =
    $ref.startsWith('#') && !refs.includes($ref) ? valueAt(root, decodeURIComponent($ref.slice(1))) : undefined
  if (!isRecord(target) || !hasOnly(schema, ['$ref'])) return undefined
  return offerAt(target, { root, depth, refs: [...refs, $ref] })
}

function hasOnly(schema: JsonRecord, keywords: readonly string[]): boolean {
  return Object.keys(schema).every((keyword) => keywords.includes(keyword) || NOTES.includes(keyword))
}

/** The branches that can be offered. Null is none: it stands for what is left out. */
function unionOf(branches: readonly unknown[], place: Place): Offer | undefined {
  const offers = branches.flatMap((branch) => (isRecord(branch) ? (offerAt(branch, place) ?? []) : []))
  const [only, ...others] = offers
  return others.length === 0 ? only : { kind: 'union', branches: offers }
}

/** True when no value can be of two of the branches: they have other types, or another constant in the same field. */
function areApart(branches: readonly unknown[], { root }: Place): boolean {
  const marks = branches.map((branch) => (isRecord(branch) ? markOf(followRef(branch, root)) : undefined))
  return marks.every((one, at) => {
    return (
      one !== undefined && marks.every((other, index) => index <= at || (other !== undefined && differ(one, other)))
    )
  })
}

/** What tells the values of a schema from those of others. */
interface Mark {
  readonly type: unknown
  /** A field that has one value, or the value itself. */
  readonly field?: string
  readonly constant?: unknown
}

function differ(one: Mark, other: Mark): boolean {
  if (one.type !== other.type) return true
  return one.constant !== undefined && one.field === other.field && differently(one.constant, other.constant)
}

function differently(one: unknown, other: unknown): boolean {
  return other !== undefined && one !== other
}

function markOf({ type, const: constant, properties, required }: JsonRecord): Mark | undefined {
  if (isScalar(constant)) return { type: typeof constant, constant }
  if (type !== 'object') return typeof type === 'string' ? { type: type === 'integer' ? 'number' : type } : undefined
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(isRecord(properties) ? properties : {})
  for (const [field, schema] of fields) {
    const fixed = isRecord(schema) ? schema['const'] : undefined
    if (isScalar(fixed) && needed.includes(field)) return { type, field, constant: fixed }
  }
  return { type }
}

/** Choices that the schema itself has, or declares as buckets; for a number without either the first that is sure to be valid. */
function choiceOf(own: readonly unknown[], schema: JsonRecord): Offer | undefined {
  const { buckets, default: first, minimum } = schema
  const declared: readonly unknown[] = Array.isArray(buckets) ? buckets : []
  const wanted = own.length > 0 && declared.length > 0 ? own.filter((value) => declared.includes(value)) : own
  const values = [wanted, own, declared].find((list) => list.length > 0)?.filter((value) => isChoice(value, schema))
  if (values !== undefined) return values.length === 0 ? undefined : { kind: 'choice', values: [...new Set(values)] }
  const only = [first, 1, 0, minimum].find((value) => isChoice(value, schema))
  return only === undefined ? undefined : { kind: 'choice', values: [only] }
}

function isChoice(value: unknown, schema: JsonRecord): value is Scalar {
  return isScalar(value) && isValid(value, schema)
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function isValid(value: Scalar, schema: JsonRecord): boolean {
  const { type = typeof value } = schema
  if (typeof value !== 'number') return type === typeof value
  if (type !== 'number' && (type !== 'integer' || !Number.isInteger(value))) return false
  const bound = (name: string, otherwise: number): number => {
    const found = schema[name]
    return typeof found === 'number' ? found : otherwise
  }
  const { multipleOf } = schema
  const isMultiple = typeof multipleOf !== 'number' || Number.isInteger(value / multipleOf)
  const isInside = value >= bound('minimum', value) && value <= bound('maximum', value)
  return (
    isMultiple &&
    isInside &&
    value > bound('exclusiveMinimum', -Infinity) &&
    value < bound('exclusiveMaximum', Infinity)
  )
}

function textOf({ minLength, maxLength }: JsonRecord): Offer | undefined {
  const { least, most } = sizeOf(minLength, maxLength, MAX_TEXT)
  return least > most ? undefined : { kind: 'text', least, most }
}

function listOf({ items, minItems, maxItems, uniqueItems }: JsonRecord, place: Place): Offer | undefined {
  const { least, most } = sizeOf(minItems, maxItems, MAX_ITEMS)
  const item = isRecord(items) ? offerAt(items, place) : undefined
  const isDistinct = uniqueItems === true
  if (item === undefined || least > most || (isDistinct && least > 1)) return undefined
  return { kind: 'list', item, least, most, isDistinct }
}

function sizeOf(min: unknown, max: unknown, otherwise: number): { readonly least: number; readonly most: number } {
  const most = typeof max === 'number' ? Math.min(max, otherwise) : otherwise
  return { least: typeof min === 'number' ? min : 0, most }
}

/** An object with the fields that can be offered; undefined when one that must be set cannot. */
function objectOf(schema: JsonRecord, place: Place): Offer | undefined {
  const { properties = {}, required } = schema
  if (place.depth < 1 || !isRecord(properties)) return undefined
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const inside = { ...place, depth: place.depth - 1 }
  const fields: FieldOffer[] = []
  for (const [name, field] of Object.entries(properties)) {
    const offer = isRecord(field) ? offerAt(field, inside) : undefined
    const isNeeded = needed.includes(name)
    if (offer !== undefined && (isNeeded || isWorthSaying(offer, field))) fields.push({ name, offer, isNeeded })
  }
  const isWhole = needed.every((name) => fields.some((field) => field.name === name))
  return isWhole ? { kind: 'object', fields } : undefined
}

/** A choice of nothing but what is there anyway is left out. */
function isWorthSaying(offer: Offer, field: unknown): boolean {
  if (offer.kind === 'object') return offer.fields.length > 0
  const first = isRecord(field) ? field['default'] : undefined
  return offer.kind !== 'choice' || offer.values.length > 1 || (first !== undefined && !isOffered(offer, first as Json))
}
