import fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesOf } from './pieces.js'

test('a text falls into pieces of whole lines', () => {
  expect(piecesOf('aaa\nbb\nccccc\ndd', { chars: 8, most: 9 })).toEqual(['aaa\nbb\n', 'ccccc\ndd'])
})

test('a line that is longer than a piece is cut, and so is one that would leave more than half of it to the next', () => {
  expect(piecesOf('abcdefghij', { chars: 4, most: 9 })).toEqual(['abcd', 'efgh', 'ij'])
  expect(piecesOf('a\nbcdefghij', { chars: 8, most: 9 })).toEqual(['a\nbcdefg', 'hij'])
})

test('a character of two units stays whole', () => {
  expect(piecesOf('a😀😀', { chars: 2, most: 9 })).toEqual(['a', '😀', '😀'])
})

test('no more than so many pieces are made', () => {
  expect(piecesOf('abcdefgh', { chars: 2, most: 2 })).toEqual(['ab', 'cd'])
  expect(piecesOf('', { chars: 2, most: 2 })).toEqual([])
})

test('together the pieces are the text, and none is too long', () => {
  const texts = fc
    .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constant('\n')))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 20 }), (text, chars) => {
      const pieces = piecesOf(text, { chars, most: Number.POSITIVE_INFINITY })

      expect(pieces.join('')).toBe(text)
      expect(pieces.filter((piece) => piece.length > chars || piece === '')).toEqual([])
    }),
  )
})
