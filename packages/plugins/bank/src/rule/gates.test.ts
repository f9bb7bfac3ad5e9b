import { expect, test } from 'vitest'
import { decideAnchor } from './anchor.js'
import { decideDemotion } from './demotion.js'
import { racesLeft } from './quota.js'
import type { RaceRun } from './race.js'
import { screenChallenger } from './screen.js'
import { marginOf } from './settings.js'

const run = (reward: number | null, usd = 0.01, ms = 1_000): RaceRun => ({ reward, usd, ms })
const pairs = (count: number, champion: (index: number) => number, anchor: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({ champion: run(champion(index)), anchor: run(anchor(index)) }))

test('the margin is a tenth at 20 pairs and halves with four times as many', () => {
  expect(marginOf(20)).toBeCloseTo(0.1)
  expect(marginOf(80)).toBeCloseTo(0.05)
})

test('an anchor is replaced by a champion that is better beyond doubt, on 40 pairs, once', () => {
  const clear = pairs(
    40,
    () => 1,
    (index) => (index < 25 ? 1 : 0),
  )
  expect(decideAnchor({ pairs: clear, isFirst: true })).toMatchObject({ isReplaced: true })
  expect(decideAnchor({ pairs: clear, isFirst: false })).toMatchObject({
    isReplaced: false,
    reason: 'this champion was compared with the anchor before',
  })
  expect(decideAnchor({ pairs: clear.slice(1), isFirst: true }).reason).toBe(
    '39 pairs, and an anchor is replaced on 40 or more',
  )
})

test('an anchor stays where the bound of 99 % is not above 0', () => {
  const slight = pairs(
    40,
    (index) => (index < 30 ? 1 : 0),
    (index) => (index < 28 ? 1 : 0),
  )
  expect(decideAnchor({ pairs: slight, isFirst: true }).reason).toMatch(
    /^the champion is not above the anchor: the bound of 99 % is -0/,
  )
})

test('a champion that is the anchor is not compared with itself', () => {
  const same = run(1)
  expect(
    decideAnchor({ pairs: Array.from({ length: 40 }, () => ({ champion: same, anchor: same })), isFirst: true }),
  ).toMatchObject({
    isReplaced: false,
    reason: 'champion and anchor are the same harness, or were not run together',
  })
})

test('a champion is demoted once it is worse than the anchor beyond chance', () => {
  const worse = pairs(
    20,
    (index) => (index < 10 ? 1 : 0),
    (index) => (index < 16 ? 1 : 0),
  )
  expect(decideDemotion(worse)).toMatchObject({ verdict: 'demote' })
  expect(decideDemotion(worse.slice(0, 19))).toMatchObject({ verdict: 'keep' })
  expect(
    decideDemotion(
      pairs(
        20,
        () => 1,
        () => 1,
      ),
    ),
  ).toMatchObject({ verdict: 'keep' })
})

test('what is invalid, does not run, was hardly measured or is dominated does not race', () => {
  const pair = (challenger: RaceRun) => ({ challenger, champion: run(1) })
  const three = (challenger: RaceRun) => [pair(challenger), pair(challenger), pair(challenger)]
  const reasonOf = (input: Partial<Parameters<typeof screenChallenger>[0]>): string =>
    screenChallenger({ isValid: true, runs: true, pairs: three(run(1)), ...input }).reason
  expect(reasonOf({ isValid: false })).toBe('its manifest is not valid')
  expect(reasonOf({ runs: false })).toBe('it did not run to an end')
  expect(reasonOf({ pairs: [pair(run(1)), pair(run(null)), pair(run(1))] })).toBe(
    '2 paired tasks, and 3 are needed before a race',
  )
  expect(reasonOf({ pairs: three(run(0)) })).toContain('dominated by the champion')
  expect(screenChallenger({ isValid: true, runs: true, pairs: three(run(0, 0.005)) })).toEqual({
    passes: true,
    reason: 'valid, runs, and not dominated on 3 paired tasks',
  })
})

test('a cluster has ten races in any seven days', () => {
  const day = 24 * 60 * 60 * 1_000
  const now = 100 * day
  const raced = Array.from({ length: 12 }, (_, index) => now - index * day)
  expect(racesLeft(raced, now)).toBe(3)
  expect(racesLeft([...raced, ...raced], now)).toBe(0)
  expect(racesLeft([], now)).toBe(10)
})
