import { beforeAll, describe, expect, test } from 'vitest'
import { manifestOf, mean, type Outcome, runCell, type Seed } from './support/seed-runs.js'

// What child runs do for searches that do not wait for each other, on the simulated model.

const world = 'wide-search:large'
const onMid = (seed: Seed): Promise<readonly Outcome[]> =>
  runCell({ world, profile: 'sim-mid', manifest: manifestOf(seed) })

describe('on the middling model', () => {
  let react: readonly Outcome[]
  beforeAll(async () => {
    react = await onMid('react')
  }, 300_000)

  test.each(['roma', 'recursive'] as const)(
    '%s takes at most 0.7 of the simulated time of ReAct',
    async (seed) => {
      const outcomes = await onMid(seed)

      expect(mean(outcomes, 'ms') / mean(react, 'ms')).toBeLessThanOrEqual(0.7)
    },
    300_000,
  )

  test('four rollouts and their aggregator cost between three and seven times what one rollout does', async () => {
    const ratio = mean(await onMid('aggagent'), 'usd') / mean(react, 'usd')

    expect(ratio).toBeGreaterThanOrEqual(3)
    expect(ratio).toBeLessThanOrEqual(7)
  }, 300_000)
})

test('on a small model four rollouts find what one omits: a reward higher by 0.15 at least', async () => {
  const manifest = manifestOf('aggagent')
  const one = { ...manifest, action: { ...manifest.action, with: { rollouts: 0 } } }
  const small = { world, profile: 'sim-small' } as const
  const [four, alone] = [await runCell({ ...small, manifest }), await runCell({ ...small, manifest: one })]

  expect(mean(four, 'reward') - mean(alone, 'reward')).toBeGreaterThanOrEqual(0.15)
}, 300_000)
