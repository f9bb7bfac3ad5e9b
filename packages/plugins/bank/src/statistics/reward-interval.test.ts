import { seededRandom } from '@harnesswright/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bootstrapMean } from './bootstrap.js'
import { formatInterval } from './format-interval.js'
import { holm } from './holm.js'
import { rewardInterval } from './reward-interval.js'
import { wilson } from './wilson.js'

const tasks = (count: number, rewards: (index: number) => readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: count }, (_, index) => rewards(index))

test('one outcome of each task gets the interval of Wilson', () => {
  const interval = rewardInterval(
    tasks(20, (index) => [index < 13 ? 1 : 0]),
    { random: seededRandom(1) },
  )
  expect(interval).toEqual(wilson(13, 20))
  expect(formatInterval(interval)).toBe('0.650 [0.433, 0.819] (wilson 95 %, n = 20)')
})

test('repeats are resampled with their task, from 20 tasks on', () => {
  const repeated = tasks(24, (index) => [index % 2, index % 2, 1])
  const interval = rewardInterval(repeated, { random: seededRandom(1) })
  expect(interval).toMatchObject({ kind: 'interval', method: 'bootstrap', n: 24 })
  expect(rewardInterval(repeated, { random: seededRandom(1) })).toEqual(interval)
})

test("fewer than 20 tasks with repeats get Student's t over the means of tasks", () => {
  expect(
    rewardInterval(
      tasks(8, (index) => [index / 8, 1]),
      { random: seededRandom(1) },
    ),
  ).toMatchObject({ method: 't', n: 8 })
  expect(
    bootstrapMean(
      tasks(19, (index) => [index]),
      { random: seededRandom(1) },
    ),
  ).toMatchObject({
    kind: 'no-information',
    reason: '19 tasks, and a bootstrap needs 20',
  })
})

test('tasks that are all alike say nothing', () => {
  const alike = rewardInterval(
    tasks(30, () => [0.5, 0.5]),
    { random: seededRandom(1) },
  )
  expect(formatInterval(alike)).toBe('0.500: no information (all 30 alike)')
  expect(
    formatInterval(
      rewardInterval(
        tasks(5, () => [1]),
        { random: seededRandom(1) },
      ),
    ),
  ).toBe('1.000: no information (all 5 alike)')
  expect(formatInterval(rewardInterval([], { random: seededRandom(1) }))).toBe('no information (nothing measured)')
})

test('Holm rejects no more than each p-value alone would, and no fewer than Bonferroni', () => {
  const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(pValues, (ps) => {
      const verdicts = holm(ps, 0.1)
      for (const [index, p] of ps.entries()) {
        if (verdicts[index]?.isRejected) expect(p).toBeLessThanOrEqual(0.1)
        if (p <= 0.1 / ps.length) expect(verdicts[index]?.isRejected).toBe(true)
      }
    }),
  )
})

test('Holm stops at the first p-value that is above its level', () => {
  expect(holm([0.04, 0.01, 0.06], 0.1).map(({ isRejected }) => isRejected)).toEqual([true, true, true])
  expect(holm([0.06, 0.01, 0.06], 0.1).map(({ isRejected }) => isRejected)).toEqual([false, true, false])
  expect(holm([0.2], 0.1)).toEqual([{ isRejected: false, level: 0.1 }])
})
