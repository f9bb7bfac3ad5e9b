import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostSubtasks, stepsOfSubtask } from './lease.js'

test('there is room for a subtask where it has its steps, and one is left here for each and for the answer', () => {
  expect([mostSubtasks({ steps: 60, most: 4, least: 5 }), mostSubtasks({ steps: 13, most: 4, least: 5 })]).toEqual([
    4, 2,
  ])
  expect(mostSubtasks({ steps: 12, most: 4, least: 5 })).toBe(1)
})

test('what a layer leaves goes to those after it', () => {
  expect(stepsOfSubtask({ left: 40, layers: 2, open: 3, width: 2 })).toBe(12)
  expect(stepsOfSubtask({ left: 35, layers: 1, open: 1, width: 1 })).toBe(33)
})

test('as published a subtask has its share of the whole limit, at least five, while there is enough', () => {
  const layer = { left: 40, layers: 1, open: 4, width: 4 }

  expect(stepsOfSubtask({ ...layer, whole: 40, parts: 4 })).toBe(9)
  expect(stepsOfSubtask({ ...layer, whole: 12, parts: 4 })).toBe(5)
  expect(stepsOfSubtask({ left: 2, layers: 1, open: 4, width: 4, whole: 40, parts: 4 })).toBe(0)
})

test('the shares of a layer leave a step for each layer and one for the answer', () => {
  const number = fc.integer({ min: 1, max: 20 })
  fc.assert(
    fc.property(fc.nat(300), number, number, number, fc.option(fc.nat(300)), (left, layers, width, more, whole) => {
      const open = width + more
      const steps = stepsOfSubtask({ left, layers, open, width, ...(whole !== null && { whole, parts: open }) })

      if (steps > 0) expect(steps * width + layers + 1).toBeLessThanOrEqual(left)
    }),
  )
})
