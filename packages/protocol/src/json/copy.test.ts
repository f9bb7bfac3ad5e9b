import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../types/index.js'
import { copyJson, freezeJson, NotJson } from './copy.js'

test('a copy of any JSON value equals it and shares nothing with it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const copy = copyJson(value)

      expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
      if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value)
    }),
  )
})

test('a key named __proto__ is copied as a key and reaches no prototype', () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"polluted":true},"a":1}'))

  expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true},"a":1}')
  expect((copy as { polluted?: boolean }).polluted).toBeUndefined()
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})

test('fields that are undefined are left out, as JSON leaves them out', () => {
  expect(copyJson({ a: undefined, b: 1 })).toEqual({ b: 1 })
  expect(Object.keys(copyJson({ a: undefined }) as object)).toEqual([])
})

const cycle: { self?: unknown } = {}
cycle.self = cycle

test.each<[string, unknown, string]>([
  ['a function', { a: [() => 1] }, '/a/0'],
  ['a symbol', { a: Symbol('x') }, '/a'],
  ['a bigint', { a: 1n }, '/a'],
  ['NaN', { a: { b: Number.NaN } }, '/a/b'],
  ['infinity', [Number.POSITIVE_INFINITY], '/0'],
  ['an instance of a class', { when: new Date(0) }, '/when'],
  ['a map', { map: new Map() }, '/map'],
  ['undefined in a list', [1, undefined], '/1'],
  ['a hole in a list', new Array(1), '/0'],
  ['a key with a slash, escaped in the pointer', { 'a/b~c': 1n }, '/a~1b~0c'],
])('%s is no JSON, and the error points at it', (_, value, pointer) => {
  expect(() => copyJson(value)).toThrow(NotJson)
  try {
    copyJson(value)
  } catch (error) {
    expect((error as NotJson).pointer).toBe(pointer)
  }
})

test('a cycle is refused instead of ending the process', () => {
  expect(() => copyJson(cycle)).toThrow(/cycle/)
})

test('a frozen value is frozen to its leaves', () => {
  const value = freezeJson<Json>({ a: [{ b: 1 }] })

  expect(() => (value as { a: { b: number }[] }).a.push({ b: 2 })).toThrow(TypeError)
  expect(Object.isFrozen((value as { a: { b: number }[] }).a[0])).toBe(true)
})

test('what stands below a value that was frozen at its surface is frozen too', () => {
  const inner = { b: 1 }
  freezeJson(Object.freeze({ a: inner }))

  expect(Object.isFrozen(inner)).toBe(true)
})
