import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Passage } from './rollouts.js'
import { commonLength, searchPassages } from './search.js'

const passage = (text: string, rollout = 1): Passage => ({ rollout, step: 1, speaker: 'tool', text })

test('passages come by the share of the query that they hold in its order', () => {
  const passages = [
    passage('The tower is high.'),
    passage('The height of Borm is 9 m, and that of Alba is 8 m.'),
    passage('9 m is the height, of Borm.'),
    passage('Nothing.'),
  ]

  const hits = searchPassages(passages, 'the height of Borm is 9 m', 10)
  expect(hits.map(({ text, score }) => [text.slice(0, 8), Number(score.toFixed(2))])).toEqual([
    ['The heig', 1],
    ['9 m is t', 0.57],
    ['The towe', 0.29],
  ])
})

test('of a long text the part is shown that holds most, 150 words of it', () => {
  const filler = Array.from({ length: 400 }, (_, index) => `word${index}`)
  const text = filler.with(290, 'incident I-107').join(' ')

  const [hit] = searchPassages([passage(text)], 'incident i-107', 5)
  expect(hit?.score).toBe(1)
  expect(hit?.text).toContain('incident I-107')
  expect(hit?.text.split(' ').length).toBeLessThanOrEqual(151)
})

test('no more are given than asked for, and of equal ones the earlier', () => {
  const hits = searchPassages(
    [1, 2, 3].map((rollout) => passage('alba', rollout)),
    'Alba',
    2,
  )

  expect(hits.map((hit) => hit.passage.rollout)).toEqual([1, 2])
})

test('a query without words finds nothing', () => {
  expect(searchPassages([passage('a b')], ' … ', 5)).toEqual([])
})

test('the common length is at most that of either, whole for a text in itself, and the same both ways', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  fc.assert(
    fc.property(words, words, (one, other) => {
      const length = commonLength(one, other)

      expect(length).toBeLessThanOrEqual(Math.min(one.length, other.length))
      expect(length).toBe(commonLength(other, one))
      expect(commonLength(one, [...other, ...one])).toBe(one.length)
    }),
  )
})
