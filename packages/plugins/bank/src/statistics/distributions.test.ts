import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tCdf, tQuantile } from './distributions.js'

// Reference values by arithmetic of 40 digits.
test.each([
  [0.9, 19, 1.3277282090268],
  [0.9, 79, 1.29235982839544],
  [0.975, 4, 2.77644510519779],
  [0.95, 10, 1.81246112281168],
  [0.99, 39, 2.42584140973563],
  [0.99, 79, 2.37448159693697],
  [0.9, 1.5, 2.19639841756554],
  [0.975, 100_000, 1.95998770753461],
  [0.99, Number.POSITIVE_INFINITY, 2.32634787404084],
  [0.9, Number.POSITIVE_INFINITY, 1.2815515655446],
])("quantile %d of Student's t with %d degrees of freedom is %d", (p, degrees, expected) => {
  expect(tQuantile(p, degrees)).toBeCloseTo(expected, 10)
  expect(tQuantile(1 - p, degrees)).toBeCloseTo(-expected, 10)
})

test('far tails keep their digits', () => {
  expect(tCdf(-8, Number.POSITIVE_INFINITY) / 6.22096057427178e-16).toBeCloseTo(1, 10)
  expect(tCdf(-10, 30) / 2.28762570411481e-11).toBeCloseTo(1, 10)
})

test('near the middle no digits are lost with many degrees of freedom', () => {
  // With so many degrees it is the normal distribution but for a term of (x³ + x)/4n.
  const [x, degrees] = [0.02, 47_557]
  const height = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  const expected = tCdf(-x, Number.POSITIVE_INFINITY) + (height * (x ** 3 + x)) / (4 * degrees)
  expect(tCdf(-x, degrees)).toBeCloseTo(expected, 12)
})

const shares = fc.double({ min: 0.001, max: 0.999, noNaN: true })

test("with one degree of freedom it is Cauchy's distribution, with two it has a closed form", () => {
  fc.assert(
    fc.property(shares, (p) => {
      const side = 2 * p - 1
      expect(tQuantile(p, 1)).toBeCloseTo(Math.tan(Math.PI * (p - 0.5)), 7)
      expect(tQuantile(p, 2)).toBeCloseTo(side * Math.sqrt(2 / (1 - side * side)), 8)
    }),
  )
})

test('the distribution at a quantile is the share that was asked for', () => {
  const degrees = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.constant(Number.POSITIVE_INFINITY))
  fc.assert(
    fc.property(shares, degrees, (p, df) => {
      expect(tCdf(tQuantile(p, df), df)).toBeCloseTo(p, 10)
    }),
  )
})

test('shares that are none are refused', () => {
  expect(() => tQuantile(1, 5)).toThrow('p must be above 0 and below 1, got 1')
  expect(() => tQuantile(0.5, 0)).toThrow('degrees must be above 0, got 0')
})
