import type { Use } from '@harnesswright/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Cell, manifestOf, mean, type Outcome, runCell } from './support/seed-runs.js'

// What memories do for a log that is many times larger than the window, on the simulated model: mechanics, and no claim about
// language models. The thresholds leave room below the means that were measured.

const REACT_MEMORY = '@harnesswright/seed-react#memory'

/** ReAct as published: nothing is left out, however full the window is. */
const faithfulReact = manifestOf('react', { use: REACT_MEMORY, with: { faithful: true } })
const windowed = manifestOf('react', { use: '@harnesswright/seed-react#window' })

const onLargeLogs = (cell: Pick<Cell, 'manifest'> & Partial<Cell>) =>
  runCell({ world: 'long-log:large', profile: 'sim-mid', ...cell })

describe('on large logs', () => {
  let react: readonly Outcome[]
  let window: readonly Outcome[]
  let resum: readonly Outcome[]
  let agentfold: readonly Outcome[]

  beforeAll(async () => {
    react = await onLargeLogs({ manifest: faithfulReact })
    window = await onLargeLogs({ manifest: windowed })
    resum = await onLargeLogs({ manifest: manifestOf('resum') })
    agentfold = await onLargeLogs({ manifest: manifestOf('agentfold') })
  }, 600_000)

  test('ReAct as published exceeds the window of every profile, and finds nothing', async () => {
    const others = [
      await onLargeLogs({ manifest: faithfulReact, profile: 'sim-small' }),
      await onLargeLogs({ manifest: faithfulReact, profile: 'sim-frontier', rngs: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }),
    ]

    for (const outcomes of [react, ...others]) {
      const overflows = outcomes.filter(({ end }) => end === 'context_overflow')
      expect(overflows.length).toBeGreaterThanOrEqual(0.9 * outcomes.length)
      expect(mean(outcomes, 'reward')).toBeLessThanOrEqual(0.05)
    }
  }, 600_000)

  test('a window over the observations gets through them, and finds what it noted in time', () => {
    expect(mean(window, 'reward') - mean(react, 'reward')).toBeGreaterThanOrEqual(0.2)
  })

  test('restarting from a summary finds more than that', () => {
    expect(mean(resum, 'reward') - mean(react, 'reward')).toBeGreaterThanOrEqual(0.45)
    expect(mean(resum, 'reward') - mean(window, 'reward')).toBeGreaterThanOrEqual(0.05)
  })

  test('a model that folds its own history finds most', () => {
    expect(mean(agentfold, 'reward') - mean(react, 'reward')).toBeGreaterThanOrEqual(0.55)
  })

  test('no memory lets a run exceed the window', () => {
    const ends = [...window, ...resum, ...agentfold].map(({ end }) => end)

    expect(ends.filter((end) => end === 'context_overflow')).toEqual([])
  })
})

test('a log that fits the window costs no more with a memory: none of them does anything', async () => {
  const onSmallLogs = (memory?: Use) =>
    runCell({ manifest: manifestOf('plan-and-execute', memory), world: 'long-log:small', profile: 'sim-mid' })
  const plain = await onSmallLogs()

  expect(await onSmallLogs({ use: '@harnesswright/seed-react#window' })).toEqual(plain)
  // The tool that it brings is one more to be mistaken for another now and then.
  const resum = await onSmallLogs({ use: '@harnesswright/seed-resum#memory' })
  expect(mean(resum, 'reward')).toBe(mean(plain, 'reward'))
  expect(mean(resum, 'modelCalls') - mean(plain, 'modelCalls')).toBeLessThan(0.25)
}, 300_000)
