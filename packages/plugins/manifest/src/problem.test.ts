import { expect, test } from 'vitest'
import { describeValue } from './problem.js'

test.each([
  ['x'.repeat(60), `"${'x'.repeat(60)}"`],
  ['x'.repeat(61), `"${'x'.repeat(60)}" …`],
  ['a "quoted"\nline', '"a \\"quoted\\"\\nline"'],
  [[1, 2], 'a list of 2'],
  [{}, 'an object with no fields'],
  [{ a: 1, b: 1, c: 1, d: 1, e: 1 }, 'an object with a, b, c, d'],
  [null, 'null'],
  [undefined, 'nothing'],
  [1.5, '1.5'],
])('a value is described in a few words that say where it was cut: %j', (value, text) => {
  expect(describeValue(value)).toBe(text)
})
