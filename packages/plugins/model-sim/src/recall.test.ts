import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROFILES } from './profiles.js'
import { recallRate } from './recall.js'

const mid = PROFILES['sim-mid']
const tokens = fc.integer({ min: 0, max: 32_000 })
const fill = fc.double({ min: 0, max: 1, noNaN: true })

test('recall never grows with distance or fill, and stays a probability', () => {
  fc.assert(
    fc.property(tokens, tokens, fill, fill, (near, more, low, high) => {
      const [least, most] = [Math.min(low, high), Math.max(low, high)]
      const here = recallRate({ tokens: near, fill: least }, mid)
      const there = recallRate({ tokens: near + more, fill: most }, mid)
      expect(there).toBeLessThanOrEqual(here)
      expect(there).toBeGreaterThanOrEqual(0)
      expect(here).toBeLessThanOrEqual(1)
    }),
  )
})

test('recall follows the formula at its corners', () => {
  expect(recallRate({ tokens: 0, fill: 0 }, mid)).toBeCloseTo(0.997)
  expect(recallRate({ tokens: 1e9, fill: 0 }, mid)).toBeCloseTo(0.997 * 0.82)
  expect(recallRate({ tokens: 0, fill: 1 }, mid)).toBeCloseTo(0.997 * 0.85)
  expect(recallRate({ tokens: 8_000, fill: 0.5 }, mid)).toBeCloseTo(
    0.997 * (1 - 0.18 * (1 - Math.exp(-1))) * (1 - 0.15 / 8),
  )
})

test('progress loses 0.15 of what another fact loses', () => {
  fc.assert(
    fc.property(tokens, fill, (distance, full) => {
      const loss = 1 - recallRate({ tokens: distance, fill: full }, mid)
      expect(1 - recallRate({ tokens: distance, fill: full, isProgress: true }, mid)).toBeCloseTo(0.15 * loss)
    }),
  )
})
