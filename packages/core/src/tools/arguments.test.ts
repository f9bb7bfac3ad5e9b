import { expect, test } from 'vitest'
import { checkArguments } from './arguments.js'

const parameters = {
  type: 'object',
  properties: {
    a: { type: 'number' },
    n: { type: 'integer' },
    on: { type: 'boolean' },
    kind: { enum: ['x', 'y'] },
    list: { type: 'array', items: { type: 'number' } },
    deep: { type: 'object', properties: { 'a/b': { type: 'number' } } },
  },
  required: ['a'],
  additionalProperties: false,
}

test('arguments that fit are handed over as a value', async () => {
  expect(await checkArguments(parameters, '{"a":1,"list":[1,2]}')).toEqual({ ok: true, value: { a: 1, list: [1, 2] } })
})

test('a boolean that came as text is the one that it says', async () => {
  expect(await checkArguments(parameters, '{"a":1,"on":"false"}')).toEqual({ ok: true, value: { a: 1, on: false } })
  expect((await checkArguments(parameters, '{"a":1,"on":"no"}')).ok).toBe(false)
})

test('a number, a boolean, a list or an object that came as text is taken for what it is', async () => {
  const text = '{"a":"1.5","n":"2","on":"true","list":"[1,2]","deep":{"a/b":"3"}}'

  expect(await checkArguments(parameters, text)).toEqual({
    ok: true,
    value: { a: 1.5, n: 2, on: true, list: [1, 2], deep: { 'a/b': 3 } },
  })
})

test.each([
  ['{"a":"one"}', /^a must be number, found "one"$/],
  ['{}', /must have "a"/],
  ['{"a":1,"b":2}', /must not have "b"/],
  ['{"a":1,"kind":"z"}', /kind must be equal to one of the allowed values: \["x","y"\], found "z"/],
  ['{"a":1,"n":"1.5"}', /^n must be integer, found/],
  ['{"a":1,"list":"5"}', /^list must be array, found "5"$/],
  ['{"a":1,"list":[1,"two"]}', /^list\.1 must be number, found "two"$/],
  ['{"a":1,"deep":{"a/b":"x"}}', /^deep\.a\/b must be number, found "x"$/],
])('K5: the fault of %s names the field, what was expected and what was found', async (text, message) => {
  const checked = await checkArguments(parameters, text)

  expect(checked.ok).toBe(false)
  expect(checked.ok ? '' : checked.message).toMatch(message)
})

test('a field of any name is found, told and taken for what it is', async () => {
  const number = { type: 'number' }
  const odd = { type: 'object', properties: { 'a~1b': number, 'c/d': number, '~0': number, constructor: number } }

  expect(await checkArguments(odd, '{"a~1b":"1","c/d":"2","~0":"3"}')).toEqual({
    ok: true,
    value: { 'a~1b': 1, 'c/d': 2, '~0': 3 },
  })
  expect(await checkArguments(odd, '{"a~1b":"x"}')).toEqual({ ok: false, message: 'a~1b must be number, found "x"' })
})

test('a long value and many faults are shown in brief', async () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, 'y'.repeat(10_000)]))
  const checked = await checkArguments(parameters, JSON.stringify({ a: 'z'.repeat(10_000), ...many }))

  expect(checked.ok ? '' : checked.message).toMatch(/must not have/)
  expect(checked.ok ? '' : checked.message.length).toBeLessThan(1_000)
})

test('a value nested so deeply that it cannot be shown is a fault and no crash', async () => {
  const checked = await checkArguments(parameters, `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)

  expect(checked.ok).toBe(false)
})

test('a schema that cannot be compiled is a fault and no crash', async () => {
  const checked = await checkArguments({ type: 'object', properties: { a: { $ref: '#/nowhere' } } }, '{"a":1}')

  expect(checked).toEqual({ ok: false, message: expect.stringMatching(/schema/) })
})
