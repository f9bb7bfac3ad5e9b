import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDice, hashText, mixHashes } from './dice.js'

const DRAWS = 20_000

test('draws are uniform over digests, runs and keys', () => {
  const dice = createDice(1, 1)
  const samples = [
    Array.from({ length: DRAWS }, (_, index) => createDice(1, mixHashes(1, index)).roll('premature')),
    Array.from({ length: DRAWS }, (_, index) => createDice(mixHashes(1, index), 1).latent('lose', 'write')),
    Array.from({ length: DRAWS }, (_, index) => dice.latent('recall', `price:Halden:item ${index}`)),
  ]

  for (const sample of samples) expect(chiSquare(sample)).toBeLessThan(40) // 19 degrees of freedom, p below 0.004
})

test('draws of two labels of one request are not related', () => {
  const pairs = Array.from({ length: DRAWS }, (_, index) => {
    const dice = createDice(1, mixHashes(7, index))
    return (dice.roll('malformed') - 0.5) * (dice.roll('loop') - 0.5) * 12
  })

  expect(Math.abs(pairs.reduce((sum, value) => sum + value, 0) / DRAWS)).toBeLessThan(0.03)
})

test('latent draws depend on the run alone, rolls on the digest alone', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), fc.string(), (one, other, same, key) => {
      expect(createDice(same, one).latent('x', key)).toBe(createDice(same, other).latent('x', key))
      expect(createDice(one, same).roll('x', key)).toBe(createDice(other, same).roll('x', key))
    }),
  )
})

test('the order of what is hashed counts', () => {
  expect(mixHashes(hashText('a'), hashText('b'))).not.toBe(mixHashes(hashText('b'), hashText('a')))
})

/** Chi-square of a sample against the uniform distribution, in 20 bins. */
function chiSquare(sample: readonly number[]): number {
  const bins = new Array<number>(20).fill(0)
  for (const value of sample) bins[Math.floor(value * 20)] = (bins[Math.floor(value * 20)] ?? 0) + 1
  const expected = sample.length / 20
  return bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
