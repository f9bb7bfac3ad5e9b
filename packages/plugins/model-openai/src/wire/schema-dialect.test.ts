import { expect, test } from 'vitest'
import { restoreOptional, strictSchema } from './schema-dialect.js'

test('objects are closed and their properties required at every depth', () => {
  const schema = {
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: 'object', properties: { a: { type: 'number', default: 1 } } } },
      ref: { $ref: '#/$defs/node' },
    },
    required: ['list', 'ref'],
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
  }
  expect(strictSchema(schema)).toEqual({
    type: 'object',
    properties: {
      list: {
        type: 'array',
        items: {
          type: 'object',
          properties: { a: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
          required: ['a'],
          additionalProperties: false,
        },
      },
      ref: { $ref: '#/$defs/node' },
    },
    required: ['list', 'ref'],
    additionalProperties: false,
    $defs: {
      node: {
        type: 'object',
        properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
        required: ['next'],
        additionalProperties: false,
      },
    },
  })
})

test.each([
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
  ['an open object', { type: 'object', properties: {}, additionalProperties: true }],
  ['anything', { type: 'object', properties: { any: {} }, required: ['any'] }],
  ['allOf', { type: 'object', properties: { a: { allOf: [{ type: 'string' }] } } }],
  ['a list at the root', { type: 'array', items: { type: 'string' } }],
])('%s cannot be said strictly', (_, schema) => {
  expect(strictSchema(schema)).toBeUndefined()
})

test('a property may be named like a word of the schema language', () => {
  const schema = {
    type: 'object',
    properties: { not: { type: 'string' }, default: { type: 'string' } },
    required: ['not', 'default'],
  }
  expect(strictSchema(schema)).toEqual({ ...schema, additionalProperties: false })
})

test('nulls are taken out where a property may be left out and null is no value of it', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: ['string', 'null'] },
      c: { type: 'null' },
      list: { type: 'array', items: { $ref: '#/$defs/item' } },
    },
    required: ['c', 'list'],
    $defs: { item: { type: 'object', properties: { x: { type: 'number' } } } },
  }
  const text = '{"a":null,"b":null,"c":null,"list":[{"x":null},{"x":1}]}'
  expect(JSON.parse(restoreOptional(text, schema))).toEqual({ b: null, c: null, list: [{}, { x: 1 }] })
})

test('a reply without such nulls, or that is no JSON, stays as it is to the letter', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  for (const text of ['{ "a": "x" }', 'no JSON', '[1]']) expect(restoreOptional(text, schema)).toBe(text)
})
