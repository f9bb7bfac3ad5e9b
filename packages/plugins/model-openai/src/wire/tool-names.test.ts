import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapToolNames } from './tool-names.js'

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }),
  fc.stringMatching(/^[a-zA-Z0-9_.-]{1,70}$/),
  fc.constantFrom('a.b', 'a/b', 'a_b', 'é', 'e', 'x'.repeat(64), 'x'.repeat(65), `${'x'.repeat(65)}y`),
)

test('names of any text are mapped to the wire and back, and no two to one', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
      const { toWire, fromWire } = mapToolNames(names)
      const wires = names.map(toWire)
      for (const wire of wires) expect(wire).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(new Set(wires).size).toBe(names.length)
      expect(wires.map(fromWire)).toEqual(names)
    }),
  )
})

test('a name that is made for one tool and is that of another is made anew', () => {
  const made = mapToolNames(['a.b']).toWire('a.b')
  const { toWire, fromWire } = mapToolNames(['a.b', made])
  expect(toWire(made)).toBe(made)
  expect(toWire('a.b')).not.toBe(made)
  expect(fromWire(toWire('a.b'))).toBe('a.b')
})

test('a name goes over the wire in the same way whatever stands beside it', () => {
  expect(mapToolNames(['z', 'a.b', 'é']).toWire('a.b')).toBe(mapToolNames(['a.b']).toWire('a.b'))
})
