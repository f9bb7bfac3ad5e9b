import { expect, test } from 'vitest'
import { manifestOf, mean, runCell } from './support/seed-runs.js'

// Where reading the order rules most of the work out, whoever plans before it is read pays for all of it.

test('ReAct costs at most 0.85 of goals that were split before the order was read, for the same reward, on the simulated model', async () => {
  const quoting = { world: 'quotes:large', profile: 'sim-frontier' } as const
  const react = await runCell({ ...quoting, manifest: manifestOf('react') })
  const flash = await runCell({ ...quoting, manifest: manifestOf('flash-searcher') })

  expect(mean(react, 'usd') / mean(flash, 'usd')).toBeLessThanOrEqual(0.85)
  expect(Math.abs(mean(react, 'reward') - mean(flash, 'reward'))).toBeLessThanOrEqual(0.05)
}, 300_000)
