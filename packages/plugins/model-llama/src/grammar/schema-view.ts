import { HarnessError, type Json, type JsonSchema } from '@harnesswright/core'

/** A schema as a grammar sees it: the fields that shape the text. */
export type Fields = { readonly [field: string]: unknown }

/** Schemas inside schemas, before it is taken for a loop. */
const MAX_DEPTH = 64

/** A place in a schema. */
export interface Place {
  readonly root: JsonSchema
  /** JSON pointer of the place. */
  readonly at: string
  readonly depth: number
}

/** The place below: of a field or an item. */
export function below(place: Place, ...path: readonly (string | number)[]): Place {
  const at = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const depth = place.depth + 1
  if (depth > MAX_DEPTH) throw badSchema(place, `is nested more than ${MAX_DEPTH} deep`)
  return { ...place, at: place.at + at, depth }
}

/** The value as the fields of an object, or undefined. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** The value as a list, or undefined. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

/** A count from 0 up, or undefined. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
}

const SHAPING: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'type',
  'nullable',
  'const',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
])

/** Whether a schema says anything of the text of its values. */
export function shapes(fields: Fields): boolean {
  return Object.keys(fields).some((name) => SHAPING.has(name))
}

/** The schema without one of its fields. */
export function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
}

/**
 * The schema that a reference of the same document names.
 *
 * @throws HarnessError `E_MODEL_BAD_REQUEST` when there is none.
 */
export function resolveRef(ref: string, place: Place): unknown {
  let value: unknown = place.root
  if (ref !== '#' && !ref.startsWith('#/')) throw badSchema(place, `refers to ${quoted(ref)}, outside of itself`)
  for (const key of ref.split('/').slice(1)) {
    const name = decodeURIComponentOr(key).replaceAll('~1', '/').replaceAll('~0', '~')
    const holder: Fields | undefined = fieldsOf(value) ?? (Array.isArray(value) ? { ...value } : undefined)
    if (holder === undefined || !Object.hasOwn(holder, name))
      throw badSchema(place, `refers to ${quoted(ref)}, which is not there`)
    value = holder[name]
  }
  return value
}

function decodeURIComponentOr(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 100))
}

/** The error of a schema that no grammar can be made of. */
export function badSchema({ at }: Place, what: string): HarnessError {
  return new HarnessError('E_MODEL_BAD_REQUEST', {
    message: `The schema of the reply ${what}, at ${at === '' ? 'its top' : at.slice(0, 200)}.`,
    hint: 'Give a JSON Schema that some value fits, without references to other documents.',
    details: { at },
  })
}

/** The text of a JSON value, spaced as grammars write it. */
export function jsonText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item as Json)}`)
    .join(', ')}}`
}
