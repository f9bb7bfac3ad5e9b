import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonRecord } from './pointer.js'
import { schemaWords } from './schema-words.js'

const words = (schema: JsonRecord): string => schemaWords(schema, schema)

test.each<[JsonRecord, string]>([
  [{ type: 'integer', minimum: 2 }, 'a whole number from 2 up'],
  [{ type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'a whole number above 0'],
  [{ type: 'integer', minimum: 1, maximum: 9, multipleOf: 2 }, 'a whole number from 1 to 9, a multiple of 2'],
  [{ type: 'number', minimum: 0, exclusiveMaximum: 1 }, 'a number from 0 up below 1'],
  [{ maximum: 3 }, 'a number up to 3'],
  [{ type: 'string' }, 'a text'],
  [{ type: 'string', minLength: 1 }, 'a text that is not empty'],
  [{ type: 'string', minLength: 3, maxLength: 3 }, 'a text of 3 characters'],
  [{ type: 'string', maxLength: 1 }, 'a text of at most 1 character'],
  [{ type: 'string', minLength: 2, pattern: '^[a-z]+$' }, 'a text of at least 2 characters matching ^[a-z]+$'],
  [{ type: 'string', format: 'date' }, 'a text in the form date'],
  [{ type: 'boolean' }, 'true or false'],
  [{ type: ['string', 'null'] }, 'a text or null'],
  [{ enum: ['a', 1, null] }, 'one of "a", 1, null'],
  [{ const: 'auto' }, '"auto"'],
  [{ type: 'array' }, 'a list'],
  [
    { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
    'a list of 1 to 2 items, each one of "a", "b"',
  ],
  [
    { type: 'array', items: { type: 'integer' }, uniqueItems: true },
    'a list, each a whole number, all of them different',
  ],
  [{ type: 'object' }, 'an object'],
  [
    { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'auto' }, { type: 'null' }] },
    'a whole number from 1 up or "auto" or null',
  ],
  [{ $ref: '#/$defs/size', $defs: { size: { type: 'integer' } } }, 'a whole number'],
  [{ expected: 'a day of the week', type: 'string' }, 'a day of the week'],
  [{}, 'another value'],
  [{ type: [] }, 'another value'],
])('%j is told in plain words', (schema, expected) => {
  expect(words(schema)).toBe(expected)
})

test('of any schema are at most 200 characters, also where it refers to itself', () => {
  const self: JsonRecord = { anyOf: [{ $ref: '#' }, { type: 'array', items: { $ref: '#' } }] }

  expect(words(self).length).toBeLessThanOrEqual(200)
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('type', 'enum', 'items', 'anyOf', 'const', 'minimum', 'pattern'), fc.jsonValue()),
      (schema) => {
        const said = words(schema as JsonRecord)
        expect(said.length).toBeGreaterThan(0)
        expect(said.length).toBeLessThanOrEqual(200)
      },
    ),
  )
})
