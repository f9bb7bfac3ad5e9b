import type { Json, JsonSchema } from '@harnesswright/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTextOf, sampleText } from '../../test/support/sample-grammar.js'
import { fitting } from '../../test/support/schemas.js'
import { partOfSchema } from './from-schema.js'
import { createRuleBook, type Grammar } from './grammar.js'
import { jsonText } from './schema-view.js'

function grammarOf(schema: JsonSchema): Grammar {
  const book = createRuleBook()
  return { root: partOfSchema(schema, book), rules: book.rules }
}

const takes = (schema: JsonSchema, value: Json): boolean => isTextOf(grammarOf(schema), jsonText(value))

function fits(schema: JsonSchema, value: unknown): boolean {
  return new Ajv2020({
    strict: false,
    ownProperties: true,
    validateFormats: false,
    validateSchema: false,
    meta: false,
  }).validate(schema, value)
}

const draws = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))

describe('the grammar of a schema', { timeout: 30_000 }, () => {
  test('has only texts of values that fit, whatever the schema', () => {
    fc.assert(
      fc.property(fitting, draws, ({ schema }, stream) => {
        const text = sampleText(grammarOf(schema), () => stream.next().value as number)
        expect(fits(schema, JSON.parse(text)), text).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('has the text of every value that fits and is in its order', () => {
    fc.assert(
      fc.property(fitting, ({ schema, value }) => {
        expect(fits(schema, value)).toBe(true)
        expect(takes(schema, value)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('leaves optional fields out and no required one, and adds none', () => {
    const schema = {
      type: 'object',
      properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } },
      required: ['b'],
    }

    for (const value of [{ b: 2 }, { a: 1, b: 2 }, { b: 2, c: 3 }, { a: 1, b: 2, c: 3 }])
      expect(takes(schema, value)).toBe(true)
    for (const value of [{}, { a: 1 }, { c: 3 }, { a: 1, c: 3 }, { b: 2, d: 4 }, { b: 2, a: 1 }, { b: 2, b2: 2 }]) {
      expect(takes(schema, value)).toBe(false)
    }
  })

  test('follows references, also of a schema to itself', () => {
    const schema = {
      $defs: {
        'a/b': {
          type: 'object',
          properties: { next: { $ref: '#/$defs/a~1b' }, is: { type: 'boolean' } },
          required: ['is'],
        },
      },
      $ref: '#/$defs/a~1b',
    }

    expect(takes(schema, { is: true })).toBe(true)
    expect(takes(schema, { next: { next: { is: true }, is: false }, is: true })).toBe(true)
    expect(takes(schema, { next: { is: 1 }, is: true })).toBe(false)
  })

  test('K8 takes the same reference twice in an object', () => {
    const point = { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] }
    const schema = {
      $defs: { point },
      type: 'object',
      properties: { from: { $ref: '#/$defs/point' }, to: { $ref: '#/$defs/point' } },
      required: ['from', 'to'],
    }

    expect(takes(schema, { from: { x: 1 }, to: { x: -2 } })).toBe(true)
    expect(takes(schema, { from: { x: 1 } })).toBe(false)
  })

  test('puts together what allOf asks for, and gives alternatives what stands beside them', () => {
    const named = { properties: { name: { type: 'string' } }, required: ['name'] }
    const aged = { $ref: '#/$defs/aged' }
    const schema = {
      $defs: { aged: { properties: { age: { type: 'integer' } }, required: ['age'] } },
      allOf: [named, aged],
    }

    expect(takes(schema, { name: 'x', age: 3 })).toBe(true)
    expect(takes(schema, { name: 'x' })).toBe(false)
    const kinds = {
      type: 'object',
      properties: { id: { const: 1 } },
      required: ['id'],
      anyOf: [named, { properties: { n: { const: 0 } }, required: ['n'] }],
    }
    expect(takes(kinds, { id: 1, name: '' })).toBe(true)
    expect(takes(kinds, { id: 1, n: 0 })).toBe(true)
    expect(takes(kinds, { id: 1 })).toBe(false)
    expect(takes(kinds, { n: 0 })).toBe(false)
  })

  test.each([
    ['a list of types', { type: ['string', 'null'] }, [null, 'x'], [1]],
    ['nullable', { type: 'integer', nullable: true }, [null, 1], ['x']],
    ['no type, but properties', { properties: { a: { const: 1 } } }, [{}, { a: 1 }], [[]]],
    ['no type, but items', { items: { const: 1 } }, [[], [1, 1]], [{}, [2]]],
    ['no type, but a length', { maxLength: 2 }, ['ab'], ['abc', 1]],
    ['an object of anything', { type: 'object' }, [{}, { a: { b: [1, 'x', null] } }], [1]],
    ['an object of nothing', { type: 'object', additionalProperties: false }, [{}], [{ a: 1 }]],
    ['an optional field that cannot be', { properties: { a: false, b: { const: 1 } } }, [{}, { b: 1 }], [{ a: 1 }]],
    ['a required field without a schema', { type: 'object', required: ['a'] }, [{ a: [1] }], [{}]],
    ['a list that must be empty', { type: 'array', maxItems: 0 }, [[]], [[1]]],
    ['a list with nothing that fits', { type: 'array', items: false }, [[]], [[1]]],
    ['enumerations of both', { enum: [1, 2, 3], allOf: [{ enum: [2, 3, 4] }] }, [2, 3], [1, 4]],
    ['bounds of whole numbers', { type: 'integer', minimum: 3.5, maximum: 6 }, [4, 5, 6], [3, 7]],
    ['a wide range of whole numbers', { type: 'integer', minimum: 0, maximum: 5_000 }, [0, 4_999], [-1, 10_000]],
    ['anything', {}, [1, 'x', [true, { a: null }]], []],
  ] as const)('reads %s', (_what, schema, good, bad) => {
    for (const value of good as readonly Json[]) expect([value, takes(schema, value)]).toEqual([value, true])
    for (const value of bad as readonly Json[]) expect([value, takes(schema, value)]).toEqual([value, false])
  })

  test('takes a field of any name for what it is', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"const":1}},"required":["__proto__"]}') as JsonSchema

    expect(isTextOf(grammarOf(schema), '{"__proto__": 1}')).toBe(true)
    expect(isTextOf(grammarOf({ allOf: [schema, {}] }), '{"__proto__": 1}')).toBe(true)
    expect(takes(schema, {})).toBe(false)
  })

  test('K62 writes no lone surrogate: there is no escape by number', () => {
    const grammar = grammarOf({ type: 'string' })

    expect(isTextOf(grammar, '"\\n \\" \\\\ é 😀"')).toBe(true)
    expect(isTextOf(grammar, '"\\ud99c"')).toBe(false)
    expect(isTextOf(grammar, '"\n"')).toBe(false)
  })

  test.each([
    ['fits no value', { type: 'object', properties: { a: false }, required: ['a'] }, /fits no value, at its top/],
    ['refers to what is not there', { items: { $ref: '#/$defs/x' } }, /"#\/\$defs\/x", which is not there, at \/items/],
    ['refers to another document', { $ref: 'https://x.test/y' }, /outside of itself/],
    ['refers to itself and says nothing', { $ref: '#' }, /refers to itself/],
    [
      'refers in a ring',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
      /refers to itself/,
    ],
    [
      'has a type that there is not',
      { properties: { a: { type: 'date' } } },
      /"date", which there is not, at \/properties\/a/,
    ],
    ['is no schema', { items: 'string' }, /is no schema, at \/items/],
    ['finds nothing in common', { enum: [1], allOf: [{ enum: [2] }] }, /fits no value/],
  ])('is refused for one that %s', (_what, schema, message) => {
    expect(() => grammarOf(schema)).toThrow(
      expect.objectContaining({ code: 'E_MODEL_BAD_REQUEST', message: expect.stringMatching(message) }),
    )
  })

  test('is refused for one that is too deep or grows without end, and not tried for ever', () => {
    let deep: JsonSchema = { type: 'null' }
    for (let level = 0; level < 1_000; level++) deep = { type: 'array', items: deep }
    expect(() => grammarOf(deep)).toThrow(/nested more than 64 deep/)

    const both = (level: number) => ({ allOf: [{ $ref: `#/$defs/s${level}` }], title: 'x', minLength: 1 })
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `s${level}`,
        { properties: { a: { ...both(level + 1), type: 'object' }, b: { ...both(level + 1), type: 'object' } } },
      ]),
    )
    expect(() => grammarOf({ $defs: { ...$defs, s30: {} }, ...both(0) })).toThrow(/holds more than 5000 schemas/)
  })
})
