import { describe, expect, test } from 'vitest'
import { type Cell, type Outcome, runWorld } from './run-world.js'

const RNGS = [1, 2, 3]

async function rewards(cell: Cell): Promise<readonly Outcome[]> {
  return await Promise.all(RNGS.map((rng) => runWorld(cell, rng)))
}

const mean = (outcomes: readonly Outcome[]): number =>
  outcomes.reduce((sum, { reward }) => sum + reward, 0) / outcomes.length

// On the simulated model sim-mid: the same decisions, so that what differs is the writing and reading of them.
describe.each(['react', 'plan-and-execute'] as const)('the seed %s on a model of text', (seed) => {
  test.each(['quotes', 'lookup-chain'])('does on %s as with native calls', { timeout: 60_000 }, async (world) => {
    const native = mean(await rewards({ seed, world, size: 'small', codec: 'native' }))

    expect(native).toBeGreaterThan(0.9)
    for (const codec of ['json', 'marker'] as const) {
      const outcomes = await rewards({ seed, world, size: 'small', codec })
      expect(mean(outcomes)).toBeGreaterThanOrEqual(native - 0.1)
      expect(outcomes.every(({ ended }) => ended === 'answered')).toBe(true)
    }
  })
})
