import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from './words.js'

test.each([
  ['files.readText', 'read_text', 'text'],
  ['HTTPServer', 'http server', 'server'],
  ['get-current-weather', 'getCurrentWeather', 'weather'],
  ['converts currencies', 'converting a currency', 'currency'],
  ['searching files', 'search_file', 'searches'],
  ['boss', 'boss', 'boss'],
])('%j and %j share the words of %j', (one, other, word) => {
  const [wanted] = wordsOf(word)

  expect(wordsOf(one)).toContain(wanted)
  expect(wordsOf(other)).toContain(wanted)
})

test('function words are left out', () => {
  expect(wordsOf('Where is the key to it?')).toEqual(wordsOf('key'))
})

test('short words keep their endings, and words that only look alike stay apart', () => {
  expect(wordsOf('class classes bed ring used')).toEqual(['class', 'class', 'bed', 'ring', 'used'])
  expect(new Set(wordsOf('read red road ride')).size).toBe(4)
})

test('of scripts without spaces the words are pairs of characters', () => {
  expect(wordsOf('天気予報')).toEqual(['天気', '気予', '予報'])
  expect(wordsOf('雨')).toEqual(['雨'])
})

test('any text has words, none of them empty, and the same ones whatever its case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(wordsOf(text).every((word) => word.length > 0)).toBe(true)
      expect(wordsOf(`${text.toLowerCase()} x`)).toEqual(wordsOf(text.toLowerCase()).concat('x'))
    }),
  )
})
