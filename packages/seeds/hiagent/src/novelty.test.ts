import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noveltiesOf } from './novelty.js'

test('a text is nothing new before the same words, all new before others, and as new as can be when it is the last', () => {
  const [same, other, last] = noveltiesOf(['pump three runs', 'Runs, pump: three!', 'valve'])

  expect(same).toBeCloseTo(0)
  expect(other).toBe(1)
  expect(last).toBe(1)
})

test('what two texts share counts less the more texts have it', () => {
  const [rare = 0] = noveltiesOf(['a x', 'a y', 'c', 'd', 'e'])
  const [common = 0] = noveltiesOf(['a x', 'a y', 'a c', 'a d', 'a e'])

  expect(common).toBeGreaterThan(rare)
})

test('a text without words has nothing in common with any', () => {
  expect(noveltiesOf(['', '…', 'a'])).toEqual([1, 1, 1])
})

test('whatever the texts, each is between 0 and 1 new', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('a b', 'b a', 'constructor'))), (texts) => {
      const novelties = noveltiesOf(texts)
      expect(novelties).toHaveLength(texts.length)
      for (const novelty of novelties) {
        expect(novelty).toBeGreaterThanOrEqual(0)
        expect(novelty).toBeLessThanOrEqual(1)
      }
    }),
  )
})
