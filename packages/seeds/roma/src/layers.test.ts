import type { Plan } from '@harnesswright/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countLayers, inSeries, nextLayer } from './layers.js'

/** Goals 1, 2, 3, … each with those that it waits for. */
function plan(...needs: readonly (readonly number[])[]): Plan {
  return {
    goals: needs.map((dependsOn, index) => ({
      id: String(index + 1),
      text: `goal ${index + 1}`,
      status: 'open',
      dependsOn: dependsOn.map(String),
    })),
  }
}

test('a layer holds what waits for nothing that is open', () => {
  expect(nextLayer(plan([], [], [1, 2])).map(({ id }) => id)).toEqual(['1', '2'])
  const { goals } = plan([], [], [1, 2])
  const begun = goals.map((goal, index) => ({
    ...goal,
    status: index === 0 ? ('failed' as const) : index === 1 ? ('done' as const) : goal.status,
  }))
  expect(nextLayer({ goals: begun }).map(({ id }) => id)).toEqual(['3'])
})

test('layers are counted, and a circle has no number of them', () => {
  expect(countLayers(plan([], [], [1, 2], [3]))).toBe(3)
  expect(countLayers(plan([], [3], [2]))).toBeUndefined()
})

test('in series every goal waits for the one before it, and keeps those before it that it needs', () => {
  expect(inSeries(plan([3], [], [1])).goals.map(({ dependsOn }) => dependsOn)).toEqual([undefined, ['1'], ['1', '2']])
})

test('whatever waits for what, a plan in series has as many layers as goals', () => {
  const needs = fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(needs, (lists) => {
      expect(countLayers(inSeries(plan(...lists)))).toBe(lists.length)
    }),
  )
})
