import { expect, test } from 'vitest'
import { Recent } from './recent.js'

test('what was not asked for in two generations is forgotten, what was asked for stays', () => {
  const recent = new Recent<number>(3)
  for (let index = 0; index < 12; index++) {
    recent.set(`k${index}`, index)
    recent.get('k0')
  }

  expect(recent.get('k0')).toBe(0)
  expect(recent.get('k11')).toBe(11)
  expect(recent.get('k2')).toBeUndefined()
})

test('entries count as they weigh', () => {
  const recent = new Recent<string>(10, (key) => key.length)
  recent.set('a', 'kept for the weight of the others')
  for (const key of ['bbbbbbbbbbbb', 'cccccccccccc', 'dddddddddddd']) recent.set(key, key)

  expect(recent.get('a')).toBeUndefined()
  expect(recent.get('dddddddddddd')).toBe('dddddddddddd')
})

test('a value that is set again replaces the old one and weighs once', () => {
  const recent = new Recent<number>(2)
  recent.set('a', 1)
  recent.set('a', 2)
  recent.set('b', 3)

  expect(recent.get('a')).toBe(2)
  expect(recent.get('b')).toBe(3)
})
