import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinPointer, parentPointer, valueAt } from './pointer.js'

test('a pointer leads back to the field that it was made for, whatever the name of the field', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('', '~', '/', '~0', '~1', '~01', '/~', '0', 'a~1b'))
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 3 }), (keys) => {
      const value = keys.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), 'found')
      const pointer = keys.reduce<string>(joinPointer, '')

      expect(valueAt(value, pointer)).toBe('found')
      expect(parentPointer(pointer)).toBe(keys.slice(0, -1).reduce<string>(joinPointer, ''))
    }),
  )
})

test('a pointer to what is not there leads to nothing, also where a prototype has a field of that name', () => {
  for (const pointer of ['/a', '/toString', '/constructor/name', '/list/2', '/list/length/0', '/text/0'])
    expect(valueAt({ list: [1, 2], text: 'abc' }, pointer)).toBeUndefined()
})
