import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BenchRow } from './bench-row.js'
import { compareResults } from './compare.js'

/** A result; what is left out is of no matter. */
function aRow(row: Partial<BenchRow>): BenchRow {
  return {
    harness: 'react',
    world: 'quotes:small',
    rng: 1,
    manifestId: '',
    harnessId: '',
    status: 'answered',
    reason: null,
    reward: 1,
    detail: '',
    steps: 1,
    modelCalls: 1,
    inputTokens: 1,
    cachedTokens: 0,
    outputTokens: 1,
    usd: 0.001,
    ms: 1_000,
    ...row,
  }
}

/** Results of rng 1, 2, … with these rewards. */
const rewarded = (rewards: readonly (number | null)[], more: Partial<BenchRow> = {}): readonly BenchRow[] =>
  rewards.map((reward, index) => aRow({ rng: index + 1, reward, ...more }))

describe('two benches', () => {
  test('are compared task by task: what all tasks gained is known, however far the tasks lie apart', () => {
    const [one] = compareResults(rewarded([0.1, 0.5, 0.9, 0.3]), rewarded([0.2, 0.6, 1, 0.41]))

    expect(one?.reward.difference).toMatchObject({ kind: 'interval', method: 'paired-t', n: 4 })
    expect(Object(one?.reward.difference).lower).toBeGreaterThan(0.09)
  })

  test('whose rewards are 0 or 1 are compared by Agresti and Min', () => {
    const [one] = compareResults(rewarded([0, 0, 0, 1]), rewarded([1, 1, 0, 1]))

    expect(one?.reward).toMatchObject({ first: 0.25, second: 0.75, difference: { method: 'agresti-min', mean: 0.5 } })
  })

  test('that are alike in every task say nothing of the error', () => {
    const [one] = compareResults(
      rewarded([0.2, 0.4]),
      rewarded([0.3, 0.5]).map((row) => ({ ...row, reward: row.reward })),
    )

    expect(one?.usd.difference).toMatchObject({ kind: 'no-information', mean: 0 })
  })

  test('have pairs of the runs alone that both have a reward for', () => {
    const [one] = compareResults(rewarded([null, 0.5, 0.5, 0.5]), rewarded([1, null, 0.5]))

    expect(one).toMatchObject({ pairs: 1, reward: { difference: { kind: 'no-information' } } })
  })

  test('have no mean of a figure that is unknown in some run', () => {
    const [one] = compareResults(rewarded([0, 1]), [...rewarded([1], { usd: null }), ...rewarded([1, 1]).slice(1)])

    expect(one).toMatchObject({ pairs: 2, usd: { first: 0.001, second: null } })
  })

  test('compare harnesses of one name, and two single ones of different names', () => {
    const [react, mine] = [rewarded([0, 1]), rewarded([1, 1], { harness: 'mine' })]

    expect(compareResults(react, mine)).toMatchObject([{ harnesses: ['react', 'mine'], pairs: 2 }])
    expect(compareResults([...react, ...mine], mine)).toMatchObject([{ harnesses: ['mine', 'mine'] }])
    expect(compareResults(react, rewarded([1], { world: 'long-log:small' }))).toEqual([])
  })
})

test('whatever the rewards, to compare the other way round turns the sign and nothing else', () => {
  const rewards = fc.array(
    fc.tuple(fc.float({ min: 0, max: 1, noNaN: true }), fc.float({ min: 0, max: 1, noNaN: true })),
    {
      minLength: 2,
      maxLength: 12,
    },
  )
  fc.assert(
    fc.property(rewards, (pairs) => {
      const [a, b] = [rewarded(pairs.map(([one]) => one)), rewarded(pairs.map(([, other]) => other))]
      const [there, back] = [compareResults(a, b), compareResults(b, a)].map(([one]) => one?.reward.difference)

      expect(there?.kind).toBe(back?.kind)
      expect(there?.mean).toBeCloseTo(-Number(back?.mean), 9)
    }),
  )
})
