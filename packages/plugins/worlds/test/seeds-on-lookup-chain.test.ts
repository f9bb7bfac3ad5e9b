import { expect, test } from 'vitest'
import { manifestOf, mean, type Outcome, runCell, type Seed } from './support/seed-runs.js'

// What a roadmap does for a chain in which each step names the next, on the simulated model: it keeps a small model from losing
// its way, and where nothing is lost it only costs.

const onChains = (seed: Seed, profile: 'sim-small' | 'sim-frontier'): Promise<readonly Outcome[]> =>
  runCell({ world: 'lookup-chain:large', profile, manifest: manifestOf(seed) })

test('on the small model a roadmap brings a reward that is higher by 0.3 at least', async () => {
  const [planned, react] = [await onChains('plan-and-execute', 'sim-small'), await onChains('react', 'sim-small')]

  expect(mean(planned, 'reward') - mean(react, 'reward')).toBeGreaterThanOrEqual(0.3)
}, 120_000)

test('on the strongest model it costs at least 1.2 times as much, for the same reward', async () => {
  const [planned, react] = [await onChains('plan-and-execute', 'sim-frontier'), await onChains('react', 'sim-frontier')]

  expect(mean(planned, 'reward')).toBe(mean(react, 'reward'))
  expect(mean(planned, 'usd') / mean(react, 'usd')).toBeGreaterThanOrEqual(1.2)
}, 120_000)
