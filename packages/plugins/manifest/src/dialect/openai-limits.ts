import { isRecord, type JsonRecord, joinPointer, valueAt } from '../pointer.js'

/** How much a schema for strict structured outputs may hold. */
export interface OpenAiLimits {
  /** Levels of objects in each other; the whole reply is level 1. */
  readonly depth: number
  /** Properties of all objects. */
  readonly properties: number
  /** Values of all enumerations. */
  readonly enumValues: number
  /** Characters of the names of properties and definitions and of all values of enumerations and constants. */
  readonly nameChars: number
  /** Characters of the texts of one enumeration of more than 250. */
  readonly largeEnumChars: number
}

/**
 * The limits that are published for strict structured outputs, but for a nesting of 5 where 10 are published: endpoints that
 * copy the dialect, and models before 2025, take no more.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs
 */
export const OPENAI_LIMITS: OpenAiLimits = {
  depth: 5,
  properties: 5_000,
  enumValues: 1_000,
  nameChars: 120_000,
  largeEnumChars: 15_000,
}

/** A restriction that a schema does not keep. */
export interface OpenAiFault {
  /** RFC 6901 pointer into the schema. */
  readonly pointer: string
  readonly message: string
}

/** Values from which on an enumeration counts as a large one. */
const LARGE_ENUM = 250

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'anyOf', '$ref', '$defs', 'title', 'description'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems'],
  ...['pattern', 'format', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
])

/** Which of the published restrictions of strict structured outputs a schema does not keep. An empty list: all are kept. */
export function checkOpenAiSchema(schema: unknown, limits: OpenAiLimits = OPENAI_LIMITS): readonly OpenAiFault[] {
  if (!isRecord(schema)) return [{ pointer: '', message: 'The schema is no object.' }]
  const check = new Check(schema)
  if (schema['type'] !== 'object') check.tell('', 'The whole reply must be of type "object".')
  if (schema['anyOf'] !== undefined) check.tell('', '"anyOf" cannot stand at the top.')
  check.visit(schema, '', 0)
  return [...check.faults, ...check.size.over(limits)]
}

/** How much of each limit a schema takes. */
class Size {
  depth = 0
  properties = 0
  enumValues = 0
  nameChars = 0
  largeEnumChars = 0

  over(limits: OpenAiLimits): readonly OpenAiFault[] {
    const names = Object.keys(limits) as (keyof OpenAiLimits)[]
    return names
      .filter((name) => this[name] > limits[name])
      .map((name) => ({ pointer: '', message: `${this[name]} ${WORDS[name]}; at most ${limits[name]} are taken.` }))
  }
}

const WORDS: Readonly<Record<keyof OpenAiLimits, string>> = {
  depth: 'levels of objects',
  properties: 'properties',
  enumValues: 'values in enumerations',
  nameChars: 'characters of names and values',
  largeEnumChars: `characters in an enumeration of more than ${LARGE_ENUM} values`,
}

class Check {
  readonly faults: OpenAiFault[] = []
  readonly size: Size = new Size()
  readonly #root: JsonRecord

  constructor(root: JsonRecord) {
    this.#root = root
  }

  tell(pointer: string, message: string): void {
    this.faults.push({ pointer, message })
  }

  visit(schema: unknown, pointer: string, depth: number): void {
    if (!isRecord(schema)) {
      this.tell(pointer, 'A schema must be an object.')
      return
    }
    for (const keyword of Object.keys(schema))
      if (!KEYWORDS.has(keyword)) this.tell(joinPointer(pointer, keyword), `"${keyword}" is not taken.`)
    const { type, anyOf, $ref, $defs, items, enum: values, const: constant } = schema
    if ([type, anyOf, $ref, values, constant].every((one) => one === undefined))
      this.tell(pointer, 'A schema must say a type, "anyOf", "enum", "const" or "$ref".')
    if (typeof $ref === 'string' && !($ref.startsWith('#') && isRecord(valueAt(this.#root, $ref.slice(1)))))
      this.tell(`${pointer}/$ref`, `"${$ref}" points at nothing in the schema.`)
    this.#countValues(values, constant)
    const isObject = [type].flat().includes('object')
    if (isObject || schema['properties'] !== undefined) this.#visitObject(schema, pointer, depth + 1)
    if ([type].flat().includes('array') && items === undefined) this.tell(pointer, 'A list must say its "items".')
    if (items !== undefined) this.visit(items, `${pointer}/items`, depth)
    const branches = Array.isArray(anyOf) ? anyOf : []
    for (const [index, branch] of branches.entries()) this.visit(branch, `${pointer}/anyOf/${index}`, depth)
    for (const [name, definition] of Object.entries(isRecord($defs) ? $defs : {})) {
      this.size.nameChars += name.length
      this.visit(definition, joinPointer(`${pointer}/$defs`, name), depth)
    }
  }

  #visitObject(schema: JsonRecord, pointer: string, depth: number): void {
    const { properties = {}, required = [], additionalProperties } = schema
    this.size.depth = Math.max(this.size.depth, depth)
    if (additionalProperties !== false) this.tell(pointer, 'An object must have "additionalProperties": false.')
    const names = isRecord(properties) ? Object.keys(properties) : []
    const needed: readonly unknown[] = Array.isArray(required) ? required : []
    const optional = names.filter((name) => !needed.includes(name))
    if (optional.length > 0) this.tell(pointer, `Every property must be required; ${optional.join(', ')} is not.`)
    for (const name of needed)
      if (!names.includes(name as string)) this.tell(`${pointer}/required`, `"${String(name)}" is no property.`)
    this.size.properties += names.length
    for (const name of names) {
      this.size.nameChars += name.length
      this.visit((properties as JsonRecord)[name], joinPointer(`${pointer}/properties`, name), depth)
    }
  }

  #countValues(values: unknown, constant: unknown): void {
    const list: readonly unknown[] = Array.isArray(values) ? values : []
    const chars = [...list, ...(constant === undefined ? [] : [constant])].reduce(
      (sum: number, value) => sum + (typeof value === 'string' ? value.length : JSON.stringify(value).length),
      0,
    )
    this.size.enumValues += list.length
    this.size.nameChars += chars
    if (list.length > LARGE_ENUM) this.size.largeEnumChars = Math.max(this.size.largeEnumChars, chars)
  }
}
