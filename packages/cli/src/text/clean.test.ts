import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanJson, cleanLine, cleanText } from './clean.js'

const HOSTILE = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '[31m',
      '\u009b',
      '\u0007',
      ']0;',
      '\u202e',
      '\u2066',
      '\r',
      '\b',
      '\u2028',
      '\n',
      '\t',
      '😀',
    ),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
})

test('clean text keeps tabs and newlines and holds no other control or bidi character', () => {
  fc.assert(
    fc.property(HOSTILE, (text) => {
      const cleaned = cleanText(text)

      expect(cleaned.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      expect(cleanText(cleaned)).toBe(cleaned)
    }),
  )
})

test('an escape sequence goes as a whole', () => {
  expect(cleanText('a\u001b[31mred\u001b[0m\tb\nc')).toBe('ared\tb\nc')
  expect(cleanText('\u001b]0;title\u0007x')).toBe('x')
})

test('a clean line is one line of bounded length that cuts no character in two', () => {
  expect(cleanLine('a\n  b\tc')).toBe('a b c')
  expect(cleanLine('😀😀😀', 3)).toBe('😀…')
})

test('clean JSON says the same value without an unsafe character', () => {
  fc.assert(
    fc.property(HOSTILE, (text) => {
      const json = cleanJson({ [text]: [text] }, 2)

      expect(JSON.parse(json)).toEqual({ [text]: [text] })
      expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    }),
  )
})
