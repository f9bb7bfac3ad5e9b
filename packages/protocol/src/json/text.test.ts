import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asText, mapTexts, utf8Length, wellFormed } from './text.js'

const anyText = fc.string({ unit: 'binary', maxLength: 40 })

test('the length in bytes is that of the UTF-8 encoding', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const clean = wellFormed(text)

      expect(utf8Length(clean)).toBe(new TextEncoder().encode(clean).length)
    }),
  )
})

test('the length in bytes is never below what is sent, also for lone surrogates', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'é', '\ud83d', '\ude00', '漢'), { maxLength: 12 }), (units) => {
      const text = units.join('')

      expect(utf8Length(text)).toBeGreaterThanOrEqual(new TextEncoder().encode(text).length)
    }),
  )
})

test('lone surrogates become U+FFFD, and pairs stay', () => {
  expect(wellFormed('a\ud83db\ude00c 😀')).toBe('a\ufffdb\ufffdc 😀')
})

test('text is shown as it is, anything else as JSON', () => {
  expect(asText('a "b"')).toBe('a "b"')
  expect(asText({ a: [1, null] })).toBe('{"a":[1,null]}')
})

test('every text of a value is changed, names of fields too, and nothing else', () => {
  const value = { a: ['x', 1, null, { b: true }], x: { y: 'x' } }

  expect(mapTexts(value, (text) => text.replace('x', 'z'))).toEqual({ a: ['z', 1, null, { b: true }], z: { y: 'z' } })
  expect(mapTexts({ a: [{ x: 1 }] }, (text) => text.replace('x', 'z'))).toEqual({ a: [{ z: 1 }] })
})

test('a value in which no text changes is given back as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(mapTexts(value, (text) => text)).toBe(value)
    }),
  )
})
