import { beforeAll, describe, expect, test } from 'vitest'
import { manifestOf, mean, type Outcome, runCell } from './support/seed-runs.js'

// Memories that ask the model what to keep, on a log that is many times larger than the window, on the simulated model: mechanics,
// and no claim about language models. Few tasks, and thresholds far below the means of twenty that stand on the cards.

const RNGS = [1, 2, 3, 4, 5, 6]

describe('on large logs', () => {
  const onLargeLogs = (manifest: ReturnType<typeof manifestOf>) =>
    runCell({ manifest, world: 'long-log:large', profile: 'sim-mid', rngs: RNGS })
  let subgoals: readonly Outcome[]
  let scored: readonly Outcome[]
  let thoughts: readonly Outcome[]
  let pages: readonly Outcome[]

  beforeAll(async () => {
    subgoals = await onLargeLogs(manifestOf('hiagent'))
    scored = await onLargeLogs(
      manifestOf('hiagent', { use: '@harnesswright/seed-hiagent#memory', with: { faithful: true } }),
    )
    thoughts = await onLargeLogs(manifestOf('memobrain'))
    pages = await onLargeLogs(manifestOf('gam'))
  }, 300_000)

  test('no memory lets a run exceed the window', () => {
    const ends = [subgoals, scored, thoughts, pages].flatMap((outcomes) => outcomes.map(({ end }) => end))

    expect(ends.filter((end) => end === 'context_overflow')).toEqual([])
  })

  test('summaries of sub-goals find what the scored window of the published code loses', () => {
    expect(mean(subgoals, 'reward') - mean(scored, 'reward')).toBeGreaterThanOrEqual(0.3)
  })

  test('pages that are researched find most, and thoughts some of it', () => {
    expect(mean(pages, 'reward')).toBeGreaterThanOrEqual(0.6)
    expect(mean(thoughts, 'reward')).toBeGreaterThanOrEqual(0.3)
  })
})
