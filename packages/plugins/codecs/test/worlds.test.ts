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

/** Tasks a cell of the table of the README; it is printed only where this is set. */
const MEASURED = Number(process.env['MEASURE'] ?? 0)

test.runIf(MEASURED > 0)('prints the table of the README', { timeout: 3_600_000 }, async () => {
  for (const seed of ['react', 'plan-and-execute'] as const)
    for (const world of ['quotes', 'lookup-chain', 'wide-search', 'long-log'])
      for (const size of ['small', 'large'] as const)
        for (const codec of ['native', 'json', 'marker'] as const) {
          const outcomes: Outcome[] = []
          for (let rng = 1; rng <= MEASURED; rng++) outcomes.push(await runWorld({ seed, world, size, codec }, rng))
          const chars = outcomes.reduce((sum, { sentChars }) => sum + sentChars, 0) / MEASURED
          console.log(`${seed} ${world} ${size} ${codec}: ${mean(outcomes).toFixed(3)}, ${Math.round(chars / 1000)}k`)
        }
})
