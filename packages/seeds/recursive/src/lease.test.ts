import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leaseSteps } from './lease.js'

test('one share is kept for what comes after', () => {
  expect(leaseSteps(42, 4, 3)).toEqual({ runs: 4, steps: 8 })
})

test('fewer are started where a share would be too little', () => {
  expect(leaseSteps(9, 4, 3)).toEqual({ runs: 2, steps: 3 })
  expect(leaseSteps(4, 4, 3)).toEqual({ runs: 0, steps: 0 })
})

test('what is lent out leaves the step that delegates and one for the answer, and nobody gets less than the least', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.nat(20), fc.integer({ min: 1, max: 50 }), (left, wanted, least) => {
      const { runs, steps } = leaseSteps(left, wanted, least)

      expect(runs).toBeLessThanOrEqual(wanted)
      if (runs > 0) expect(runs * steps + 2).toBeLessThanOrEqual(left)
      if (runs > 0) expect(steps).toBeGreaterThanOrEqual(least)
    }),
  )
})
