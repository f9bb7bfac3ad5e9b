import { expect, test } from 'vitest'
import { checkSchema } from './check-schema.js'
import type { JsonRecord } from './pointer.js'

/** Pointer, what was found and what was expected, of each problem. */
const check = async (value: unknown, root: JsonRecord) => {
  const problems = await checkSchema({ value, root, pointer: '/with', code: 'E_MANIFEST_OPTION' })
  return problems.map(({ pointer, found, expected }) => [pointer, found, expected])
}

test('a condition that does not hold is the mistake that is made, and no second one', async () => {
  const root = {
    type: 'object',
    properties: { mode: { type: 'string' }, key: { type: 'string' } },
    if: { properties: { mode: { const: 'locked' } }, required: ['mode'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['key'] },
  }

  expect(await check({ mode: 'open' }, root)).toEqual([])
  expect(await check({ mode: 'locked' }, root)).toEqual([['/with', 'no "key"', '"key": a text']])
})

test('a field whose name is wrong is told by its name, once', async () => {
  const root = { type: 'object', propertyNames: { pattern: '^[a-z]+$', maxLength: 3 } }

  expect(await check({ ok: 1 }, root)).toEqual([])
  expect(await check({ ok: 1, Wrong: 1 }, root)).toEqual([['/with/Wrong', '"Wrong"', 'no fields']])
})

test('a mistake in a union inside a union is that of the innermost branch that was meant', async () => {
  const size = { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'auto' }] }
  const root = {
    type: 'object',
    properties: {
      source: { oneOf: [{ type: 'string' }, { type: 'object', properties: { size }, required: ['size'] }] },
    },
  }

  expect(await check({ source: { size: 1 } }, root)).toEqual([])
  expect(await check({ source: { size: 0 } }, root)).toEqual([['/with/source/size', '0', 'a whole number from 1 up']])
})

test('of unions of objects inside unions only the branches that were meant are told', async () => {
  const kind = (name: string, field: string): JsonRecord => ({
    type: 'object',
    properties: { kind: { const: name }, [field]: { type: 'string' } },
    required: ['kind', field],
  })
  const inner = { oneOf: [kind('a', 'x'), kind('b', 'y')] }
  const root = { properties: { source: { oneOf: [{ type: 'string' }, { type: 'object', properties: { inner } }] } } }

  expect(await check({ source: { inner: { kind: 'b', y: 'z' } } }, root)).toEqual([])
  expect(await check({ source: { inner: { kind: 'b' } } }, root)).toEqual([
    ['/with/source/inner', 'no "y"', '"y": a text'],
  ])
})

test('values that cannot be compared are told in words', async () => {
  const value = JSON.parse('[{"valueOf": 1}, {"valueOf": 1}]') as unknown

  expect(await check(value, { type: 'array', uniqueItems: true })).toEqual([
    ['/with', 'a list of 2', 'values without fields named valueOf or toString'],
  ])
})
