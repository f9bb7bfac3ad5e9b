import { beforeAll, expect, test } from 'vitest'
import { manifestOf, mean, type Outcome, runCell } from './support/seed-runs.js'

// What goals that advance side by side do for slow searches that do not wait for each other, on the simulated model.

const searching = { world: 'wide-search:large', profile: 'sim-mid' } as const

let react: readonly Outcome[]
let flash: readonly Outcome[]

beforeAll(async () => {
  react = await runCell({ ...searching, manifest: manifestOf('react') })
  flash = await runCell({ ...searching, manifest: manifestOf('flash-searcher') })
}, 300_000)

test('goals that advance side by side take at most 0.65 of the simulated time of ReAct, and omit no more', () => {
  expect(mean(flash, 'ms') / mean(react, 'ms')).toBeLessThanOrEqual(0.65)
  expect(mean(flash, 'reward')).toBeGreaterThan(mean(react, 'reward'))
})

test('they cost no more: several calls share one request', () => {
  expect(mean(flash, 'usd')).toBeLessThan(mean(react, 'usd'))
  expect(mean(flash, 'modelCalls')).toBeLessThan(0.6 * mean(react, 'modelCalls'))
})

test('the time is won by calls that run at once: made one after another, as published, they take as long as ReAct', async () => {
  const manifest = manifestOf('flash-searcher')
  const serial = await runCell({
    ...searching,
    manifest: { ...manifest, action: { use: '@harnesswright/seed-react#action', with: { faithful: true } } },
  })

  expect(mean(serial, 'ms') / mean(react, 'ms')).toBeGreaterThan(0.9)
}, 300_000)
