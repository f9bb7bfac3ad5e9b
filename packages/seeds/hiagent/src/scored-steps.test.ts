import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestSteps, scoreSteps } from './scored-steps.js'

const equal = { position: 1, novelty: 1 }

test('of 30 equally new steps 15 stay: the first, the last, and the middle goes first (D15.4)', () => {
  const scores = scoreSteps(
    Array.from({ length: 30 }, () => 'the same page'),
    equal,
  )
  const stay = [...bestSteps(scores, 15)].sort((a, b) => a - b)

  expect(stay).toEqual([0, 1, 2, 3, 4, 5, 6, 22, 23, 24, 25, 26, 27, 28, 29])
})

test('a step in the middle stays when what it saw is new, and its place does not count', () => {
  const observations = Array.from({ length: 9 }, (_, at) => (at === 4 ? 'the valve is open' : 'the same page'))
  const scores = scoreSteps(observations, { position: 0, novelty: 1 })

  expect([...bestSteps(scores, 4)].sort((a, b) => a - b)).toEqual([0, 3, 4, 8])
})

test.each([
  [1, [2]],
  [2, [2, 0]],
  [3, [2, 0, 1]],
  [9, [2, 0, 1]],
])('of three steps with room for %i stay %j', (most, stay) => {
  expect([...bestSteps([1, 1, 1], most)]).toEqual(stay)
})

test('whatever the steps, as many stay as there is room for, with the last always', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.integer({ min: 1, max: 20 }), (observations, most) => {
      const stay = bestSteps(scoreSteps(observations, equal), most)
      expect(stay.size).toBe(Math.min(most, observations.length))
      expect(stay.has(observations.length - 1)).toBe(true)
    }),
  )
})
