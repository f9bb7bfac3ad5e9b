import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rankDocuments } from './bm25.js'
import { createDocument } from './document.js'

const text = (words: string) => createDocument([[words, 1]])
const rank = (texts: readonly string[], query: Record<string, number>) =>
  rankDocuments(texts.map(text), new Map(Object.entries(query))).map(({ index }) => index)

describe('texts are ranked', () => {
  test('by rare words before common ones', () => {
    expect(rank(['red apple', 'red cherry', 'red plum'], { red: 1, cherri: 1 })).toEqual([1, 0, 2])
  })

  test('by more occurrences in equal length, and by less length for equal occurrences', () => {
    expect(rank(['kiwi kiwi fig', 'kiwi fig fig'], { kiwi: 1 })).toEqual([0, 1])
    expect(rank(['kiwi fig fig fig fig', 'kiwi fig'], { kiwi: 1 })).toEqual([1, 0])
  })

  test('by the weights of the words', () => {
    expect(rank(['kiwi', 'plum'], { kiwi: 1, plum: 2 })).toEqual([1, 0])
  })

  test('and those that hold none of the words are left out; equal ones keep their order', () => {
    expect(rank(['kiwi', 'plum', 'kiwi'], { kiwi: 1 })).toEqual([0, 2])
    expect(rank([], { kiwi: 1 })).toEqual([])
    expect(rank(['', ''], { kiwi: 1 })).toEqual([])
  })
})

const words = fc.array(fc.constantFrom('kiwi', 'plum', 'figs', 'pear', 'lime'), { maxLength: 8 })

test('scores are positive and fall, and a text that is there is never lost', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 8 }), fc.constantFrom('kiwi', 'plum'), (lists, word) => {
      const hits = rankDocuments(
        lists.map((list) => text(list.join(' '))),
        new Map([[word, 1]]),
      )
      const scores = hits.map(({ score }) => score)

      expect(scores.every((score) => score > 0)).toBe(true)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      const holding = lists.flatMap((list, index) => (list.includes(word) ? [index] : []))
      expect(hits.map(({ index }) => index).sort()).toEqual(holding)
    }),
  )
})

test('one more occurrence of a word in place of another never makes a text worse', () => {
  fc.assert(
    fc.property(words, fc.array(words, { maxLength: 5 }), (list, others) => {
      fc.pre(list.includes('plum'))
      const scoreOf = (own: readonly string[]): number =>
        rankDocuments(
          [own, ...others].map((one) => text(one.join(' '))),
          new Map([['kiwi', 1]]),
        ).find(({ index }) => index === 0)?.score ?? 0
      const more = list.toSpliced(list.indexOf('plum'), 1, 'kiwi')

      if (list.includes('kiwi')) expect(scoreOf(more)).toBeGreaterThan(scoreOf(list))
      else expect(scoreOf(more)).toBeGreaterThan(0)
    }),
  )
})
