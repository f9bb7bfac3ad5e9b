import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BenchRow } from './bench-row.js'
import { halfWidth } from './spread.js'
import { judge, summarise } from './summary.js'
import { HEADINGS, markdownTable, tableRows, verdictLines } from './table.js'

/** Runs of a harness with these rewards, one for each task. */
function runsOf(
  harness: string,
  rewards: readonly (number | null)[],
  change: Partial<BenchRow> = {},
): readonly BenchRow[] {
  return rewards.map((reward, index) => ({
    harness,
    world: 'quotes:small',
    rng: index + 1,
    manifestId: 'sha256:a',
    harnessId: 'sha256:b',
    status: 'answered',
    reason: null,
    reward,
    detail: '',
    steps: 2,
    modelCalls: 3,
    inputTokens: 900,
    cachedTokens: 500,
    outputTokens: 100,
    usd: 0.01,
    ms: 4_000,
    ...change,
  }))
}

test('the half width of three known values is that of Student', () => {
  expect(halfWidth([1, 2, 3])).toBeCloseTo(2.484, 3)
  expect([halfWidth([5]), halfWidth([5, 5, 5])]).toEqual([0, 0])
})

test('means are over the runs whose reward is known, and what is unknown of one is unknown of the mean', () => {
  const rows = [...runsOf('a', [1, 0.5, null]), ...runsOf('b', [1, 1], { usd: null })]

  expect(summarise(rows)).toEqual([
    expect.objectContaining({ harness: 'a', runs: 2, masked: 1, reward: 0.75, usd: 0.01, tokens: 1000, modelCalls: 3 }),
    expect.objectContaining({ harness: 'b', runs: 2, masked: 0, reward: 1, rewardHalfWidth: 0, usd: null }),
  ])
})

test('good are the best and those that chance may have put below it; of these the cheapest and the quickest are told', () => {
  const verdicts = judge([
    ...runsOf('dear', [1, 1, 0.9, 1, 1], { usd: 0.05 }),
    ...runsOf('cheap', [1, 0.9, 1, 1, 0.9], { usd: 0.01 }),
    ...runsOf('quick', [0.9, 1, 1, 1, 0.9], { ms: 1_000, usd: 0.02 }),
    ...runsOf('bad', [0.2, 0.1, 0.3, 0, 0.2], { ms: 10, usd: 0.0001 }),
  ])

  expect(verdicts).toEqual([
    { world: 'quotes:small', best: 'dear', good: ['dear', 'cheap', 'quick'], cheapest: 'cheap', quickest: 'quick' },
  ])
})

test('where every run was failed by the endpoint nothing is said', () => {
  expect(judge(runsOf('a', [null, null]))).toEqual([])
})

test('where one harness alone was measured nothing is said', () => {
  expect(judge([...runsOf('a', [1, 1]), ...runsOf('b', [null, null])])).toEqual([])
})

test('the best harness is good, whatever the rewards', () => {
  const rewards = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(rewards, { minLength: 2, maxLength: 5 }), (harnesses) => {
      const [verdict] = judge(harnesses.flatMap((values, index) => runsOf(`h${index}`, values)))

      expect(verdict?.good).toContain(verdict?.best)
    }),
  )
})

test('a table stands by world, and says who is good there', () => {
  const rows = [...runsOf('a', [1, 1]), ...runsOf('b|*', [0, 0], { status: 'limit', reason: 'steps' })]
  const [cells, verdicts] = [summarise(rows), judge(rows)]

  expect(tableRows(cells, verdicts)).toEqual([
    ['quotes:small', 'a', '1.00 ±0.00', '*', '1.0k', '0.0100', '4 s', '3.0', 'answered 2'],
    ['quotes:small', 'b|*', '0.00 ±0.00', '', '1.0k', '0.0100', '4 s', '3.0', 'steps 2'],
  ])
  expect(verdictLines(verdicts)).toEqual([
    'quotes:small: best a; no other is as good; cheapest of these: a; quickest: a',
  ])
  expect(markdownTable(HEADINGS.slice(0, 2), [['quotes', 'b|*']])).toBe(
    '| world | harness |\n| --- | --- |\n| quotes | b\\|\\* |',
  )
})
