import type { Json, JsonSchema } from '@harnesswright/core'
import fc from 'fast-check'

/** A schema and a value that fits it, its fields in the order of the schema. */
export interface Fitting {
  readonly schema: JsonSchema
  readonly value: Json
}

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 6 }),
  fc.constantFrom('constructor', 'a b', '"', '\\', '\u{1f600}', '<tool_call>'),
)
/** Texts that JSON writes as they are, or with a short escape. */
const plain = fc
  .string({ maxLength: 12, unit: 'grapheme-composite' })
  .filter((text) => !/\\u/.test(JSON.stringify(text)) && !text.includes('\x7f'))

/** Values that ajv, by which the tests check, can compare: not by methods that a field stands in for. */
function comparable(maxDepth: number): fc.Arbitrary<Json> {
  const value = fc.jsonValue({ maxDepth }) as fc.Arbitrary<Json>
  return value.filter((one) => !/"(valueOf|toString)":/.test(JSON.stringify(one)))
}

const scalar: fc.Arbitrary<Fitting> = fc.oneof(
  fc.constant({ schema: { type: 'null' }, value: null }),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
  fc.nat().map((value) => ({ schema: { type: 'integer', minimum: 0 }, value })),
  fc.tuple(fc.integer({ min: -500, max: 500 }), fc.nat(90), fc.nat(90)).map(([from, span, at]) => ({
    schema: { type: 'integer', minimum: from, exclusiveMaximum: from + span + 1 },
    value: from + Math.min(at, span),
  })),
  fc.integer({ min: -9_999, max: 9_999 }).map((value) => ({ schema: { type: 'number' }, value: value / 100 })),
  plain.map((value) => ({ schema: { type: 'string' }, value })),
  plain.map((value) => {
    const { length } = Array.from(value)
    return { schema: { type: 'string', minLength: Math.max(0, length - 1), maxLength: length + 2 }, value }
  }),
  fc.constantFrom<Fitting>(
    { schema: { type: 'string', format: 'date' }, value: '2026-11-30' },
    { schema: { type: 'string', format: 'date-time' }, value: '2026-11-30T23:59:00.5Z' },
    { schema: { type: 'string', format: 'time' }, value: '00:00:00+01:30' },
    { schema: { type: 'string', format: 'uuid' }, value: '123e4567-e89b-12d3-a456-426614174000' },
  ),
  comparable(2).map((value) => ({ schema: { const: value }, value })),
  fc
    .tuple(fc.array(comparable(1), { minLength: 1, maxLength: 4 }), fc.nat())
    .map(([values, at]) => ({ schema: { enum: values }, value: values[at % values.length] as Json })),
)

/** Schemas of all that a grammar can say, nested, with a value for each. */
export const fitting: fc.Arbitrary<Fitting> = fc.letrec<{ any: Fitting }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    listOf(tie('any')),
    objectOf(tie('any')),
    unionOf(tie('any')),
    refTo(tie('any')),
  ),
})).any

function listOf(item: fc.Arbitrary<Fitting>): fc.Arbitrary<Fitting> {
  const repeated = fc.tuple(item, fc.nat(3)).map(([{ schema, value }, count]) => ({
    schema: { type: 'array', items: schema, minItems: Math.max(0, count - 1), maxItems: count + 1 },
    value: Array.from({ length: count }, () => value),
  }))
  const tuple = fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => ({
    schema: { type: 'array', prefixItems: items.map(({ schema }) => schema), items: false, minItems: items.length },
    value: items.map(({ value }) => value),
  }))
  return fc.oneof(repeated, tuple)
}

function objectOf(item: fc.Arbitrary<Fitting>): fc.Arbitrary<Fitting> {
  const field = fc.record({ name, item, isRequired: fc.boolean(), isThere: fc.boolean() })
  const closed = fc.uniqueArray(field, { selector: (one) => one.name, maxLength: 4 }).map((fields) => ({
    schema: {
      type: 'object',
      properties: Object.fromEntries(inOrder(fields).map((one) => [one.name, one.item.schema])),
      required: fields.filter((one) => one.isRequired).map((one) => one.name),
      additionalProperties: false,
    },
    value: Object.fromEntries(
      inOrder(fields).flatMap((one) => (one.isRequired || one.isThere ? [[one.name, one.item.value]] : [])),
    ) as Json,
  }))
  const map = fc.tuple(item, fc.uniqueArray(plain, { maxLength: 3 })).map(([{ schema, value }, names]) => ({
    schema: { type: 'object', additionalProperties: schema },
    value: Object.fromEntries(names.map((one) => [one, value])) as Json,
  }))
  return fc.oneof(closed, map)
}

/** Names that look like indices come first in JavaScript, whatever order they were given in. */
function inOrder<T extends { readonly name: string }>(fields: readonly T[]): readonly T[] {
  const names = Object.keys(Object.fromEntries(fields.map((one) => [one.name, true])))
  return names.flatMap((one) => fields.find((field) => field.name === one) ?? [])
}

function unionOf(item: fc.Arbitrary<Fitting>): fc.Arbitrary<Fitting> {
  return fc.tuple(item, item, fc.boolean()).map(([first, second, isFirst]) => ({
    schema: { anyOf: [first.schema, second.schema] },
    value: isFirst ? first.value : second.value,
  }))
}

/** References are to the document, so that one of a nested schema would lead elsewhere: the target is what every document has. */
function refTo(item: fc.Arbitrary<Fitting>): fc.Arbitrary<Fitting> {
  return item.map(({ schema, value }) => ({ schema: { allOf: [schema, { title: 'the same' }] }, value }))
}
