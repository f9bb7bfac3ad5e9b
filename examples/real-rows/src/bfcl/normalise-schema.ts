import type { JsonSchema } from '@harnesswright/core'

/** A schema in draft 2020-12, and what of it could not be said there. */
export interface Normalised {
  readonly schema: JsonSchema
  /** One sentence for each thing that was dropped or read in another way, with its place. */
  readonly warnings: readonly string[]
}

/** Names of types in other dialects. `any` is no type: everything is allowed. */
const TYPES: Readonly<Record<string, string | undefined>> = {
  dict: 'object',
  float: 'number',
  tuple: 'array',
  any: undefined,
}

/** Words that are not in draft 2020-12, and say nothing of which values are right. */
const DROPPED = new Set(['optional', 'example', 'discriminator', 'xml', 'externalDocs'])

type Fields = { readonly [key: string]: unknown }

/**
 * A schema of another dialect in draft 2020-12: the types `dict`, `float`, `tuple` and `any`, lists of `items` (draft-07),
 * `nullable` and bounds that are excluded by a boolean (OpenAPI).
 */
export function normaliseSchema(schema: JsonSchema): Normalised {
  const warnings: string[] = []
  return { schema: normalise(schema, '', warnings), warnings }
}

function normalise(schema: Fields, at: string, warnings: string[]): Fields {
  const words = dropWords(schema, at, warnings)
  const typed = readType(words)
  const bounded = readBounds(typed)
  return readParts(moveEnum(bounded, at, warnings), at, warnings)
}

function dropWords(schema: Fields, at: string, warnings: string[]): Fields {
  const dropped = Object.keys(schema).filter((word) => DROPPED.has(word))
  for (const word of dropped) warnings.push(`${at || '/'}: "${word}" was dropped`)
  return without(schema, dropped)
}

function readType(schema: Fields): Fields {
  const { type, nullable, ...rest } = schema
  if (typeof type !== 'string') return schema
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : type
  if (known === undefined) return rest
  return { type: nullable === true ? [known, 'null'] : known, ...rest }
}

function readBounds(schema: Fields): Fields {
  const pairs = [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const
  return pairs.reduce((fields: Fields, [bound, exclusive]) => {
    if (typeof fields[exclusive] !== 'boolean') return fields
    const isExclusive = fields[exclusive] && fields[bound] !== undefined
    return isExclusive
      ? { ...without(fields, [bound, exclusive]), [exclusive]: fields[bound] }
      : without(fields, [exclusive])
  }, schema)
}

/** An enumeration of what the items of a list may be, written beside the list, could never hold. */
function moveEnum(schema: Fields, at: string, warnings: string[]): Fields {
  const { enum: values, ...rest } = schema
  if (schema['type'] !== 'array' || !Array.isArray(values) || values.some(Array.isArray)) return schema
  warnings.push(`${at || '/'}: "enum" of a list was read as that of its items`)
  return { ...rest, items: { ...(rest['items'] as Fields | undefined), enum: values } }
}

function readParts(schema: Fields, at: string, warnings: string[]): Fields {
  const sub = (value: unknown, word: string): unknown =>
    isFields(value) ? normalise(value, `${at}/${word}`, warnings) : value
  const parts = Object.entries(schema).map(([word, value]): [string, unknown] => {
    if (['properties', '$defs', 'definitions', 'patternProperties'].includes(word) && isFields(value))
      return [word, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sub(one, `${word}/${name}`)]))]
    if (word === 'items' && Array.isArray(value))
      return ['prefixItems', value.map((one, index) => sub(one, `items/${index}`))]
    if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(word) && Array.isArray(value))
      return [word, value.map((one, index) => sub(one, `${word}/${index}`))]
    if (word === 'additionalItems') return ['items', sub(value, word)]
    return [word, ['items', 'additionalProperties', 'not'].includes(word) ? sub(value, word) : value]
  })
  return Object.fromEntries(parts)
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
