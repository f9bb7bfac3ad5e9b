import { isRecord, type JsonRecord } from './pointer.js'
import { branchesOf, followRef } from './schema-walk.js'

/** Longest text, in characters. */
const MAX_CHARS = 200
/** Schemas inside a schema that are told. */
const MAX_DEPTH = 3

/** What a schema takes, in words; its own words where it has any under `expected`. */
export function schemaWords(schema: JsonRecord, root: JsonRecord): string {
  const words = wordsOf(schema, root, MAX_DEPTH)
  return words.length <= MAX_CHARS ? words : `${words.slice(0, MAX_CHARS - 1)}…`
}

function wordsOf(given: JsonRecord, root: JsonRecord, depth: number): string {
  const schema = followRef(given, root)
  const { expected, enum: values, const: constant, type } = schema
  if (typeof expected === 'string') return expected
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(values)) return oneOf(values.map((value) => JSON.stringify(value)))
  const branches = depth > 0 ? [branchesOf(schema)].flat().filter(isRecord) : []
  if (branches.length > 0) return [...new Set(branches.map((branch) => wordsOf(branch, root, depth - 1)))].join(' or ')
  const types = [type ?? kindOf(schema)].flat()
  const kinds = (types.length === 0 ? ['any'] : types).map((kind) => kindWords(String(kind), { schema, root, depth }))
  return [...new Set(kinds)].join(' or ')
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? (values[0] as string) : `one of ${values.join(', ')}`
}

/** The type that keywords are of, where none is said. */
function kindOf(schema: JsonRecord): string {
  const has = (...names: readonly string[]): boolean => names.some((name) => schema[name] !== undefined)
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number'
  if (has('minLength', 'maxLength', 'pattern', 'format')) return 'string'
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return 'array'
  return has('properties', 'required', 'additionalProperties') ? 'object' : 'any'
}

interface Around {
  readonly schema: JsonRecord
  readonly root: JsonRecord
  readonly depth: number
}

function kindWords(kind: string, { schema, root, depth }: Around): string {
  switch (kind) {
    case 'integer':
      return numberWords('a whole number', schema)
    case 'number':
      return numberWords('a number', schema)
    case 'string':
      return textWords(schema)
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'array':
      return listWords(schema, root, depth)
    case 'object':
      return 'an object'
    default:
      return 'another value'
  }
}

function numberWords(what: string, schema: JsonRecord): string {
  const bound = (name: string): number | undefined => {
    const value = schema[name]
    // The bounds that every safe integer has say nothing.
    return typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER ? value : undefined
  }
  const [least, most] = [bound('minimum'), bound('maximum')]
  const [above, below, multiple] = [bound('exclusiveMinimum'), bound('exclusiveMaximum'), bound('multipleOf')]
  const range = least !== undefined && most !== undefined ? [`from ${least} to ${most}`] : []
  const ends = [
    ...(range.length > 0 || least === undefined ? range : [`from ${least} up`]),
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(range.length > 0 || most === undefined ? [] : [`up to ${most}`]),
    ...(below === undefined ? [] : [`below ${below}`]),
  ]
  return [what, ...ends].join(' ') + (multiple === undefined ? '' : `, a multiple of ${multiple}`)
}

function textWords({ minLength, maxLength, pattern, format }: JsonRecord): string {
  const size = countWords(minLength, maxLength, 'character')
  const isAny = minLength === 1 && typeof maxLength !== 'number'
  const text = isAny ? 'a text that is not empty' : `a text${size}`
  return [
    text,
    ...(typeof pattern === 'string' ? [`matching ${pattern}`] : []),
    ...(typeof format === 'string' ? [`in the form ${format}`] : []),
  ].join(' ')
}

function listWords({ minItems, maxItems, items, uniqueItems }: JsonRecord, root: JsonRecord, depth: number): string {
  const each = isRecord(items) && depth > 0 ? `, each ${wordsOf(items, root, depth - 1)}` : ''
  return `a list${countWords(minItems, maxItems, 'item')}${each}${uniqueItems === true ? ', all of them different' : ''}`
}

function countWords(least: unknown, most: unknown, what: string): string {
  const [from, to] = [least, most].map((value) => (typeof value === 'number' ? value : undefined))
  const plural = (count: number): string => `${count} ${what}${count === 1 ? '' : 's'}`
  if (to === undefined) return from === undefined || from === 0 ? '' : ` of at least ${plural(from)}`
  if (from === undefined || from === 0) return ` of at most ${plural(to)}`
  return from === to ? ` of ${plural(to)}` : ` of ${from} to ${plural(to)}`
}
