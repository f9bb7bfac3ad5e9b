import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TaskFeatures } from '../features/task-features.js'
import type { Slots } from './modules.js'
import type { Rule } from './rule.js'
import { RULES } from './rules.js'

/** A small task, with changes. */
function someFeatures(changes: Partial<TaskFeatures> = {}): TaskFeatures {
  return {
    files: 3,
    sources: 3,
    unsizedSources: 0,
    expectedObservationTokens: 500,
    contextWindow: 32_000,
    windowShare: 500 / 32_000,
    dependencyDepth: 2,
    deliverable: true,
    goals: 2,
    leastSteps: 5,
    leastTokens: 5_000,
    leastUsd: 0.002,
    budget: { tokens: 1_000_000, steps: 40, usd: null },
    hasReadTool: true,
    hasWriteTool: true,
    hasSearchTool: false,
    ...changes,
  }
}

function ruleFor(features: TaskFeatures): Rule {
  return RULES.find((rule) => rule.when(features)) as Rule // the last one always applies
}

function slotsFor(changes: Partial<TaskFeatures>): Slots {
  const features = someFeatures(changes)
  return ruleFor(features).manifest(features)
}

const react = { use: '@harnesswright/seed-react#action', with: { parallel: true } }
const guard = { use: '@harnesswright/seed-react#memory', with: { fill: 0.6 } }

test('a small task gets the simplest harness: the whole history, no plan, all tools', () => {
  expect(slotsFor({})).toEqual({ memory: null, planning: null, capability: null, action: react })
})

test('observations that are a good part of the window get a guarded memory and no plan', () => {
  const slots = slotsFor({ expectedObservationTokens: 8_700, windowShare: 8_700 / 32_000 })

  expect(slots).toEqual({ memory: guard, planning: null, capability: null, action: react })
})

test.each([
  ['a source of unknown size', { unsizedSources: 1 }],
  ['an unknown window', { contextWindow: null, windowShare: null }],
])('%s gets a guarded memory', (_, changes) => {
  expect(slotsFor(changes).memory).toEqual(guard)
})

test.each([{ goals: 5 }, { sources: 5 }, { dependencyDepth: 5 }])(
  'five things of one kind get a plan: %o',
  (changes) => {
    const { memory, planning } = slotsFor(changes)

    expect(planning?.use).toBe('@harnesswright/seed-plan-and-execute#planning')
    expect(memory).toBeNull()
  },
)

test('many parts of a large volume get a plan and a guarded memory', () => {
  const slots = slotsFor({ sources: 64, windowShare: 5.8 })

  expect(slots.planning).not.toBeNull()
  expect(slots.memory).toEqual(guard)
})

test.each([
  ['a chain has a goal for each link and one for the file', { sources: 8, dependencyDepth: 8 }, 9],
  ['a chain has at most twelve goals', { goals: 30, dependencyDepth: 30 }, 12],
  ['independent things are grouped by three', { sources: 15 }, 6],
  ['a plan has at least five goals', { sources: 6, deliverable: false }, 5],
  ['a plan of groups has at most seven goals', { sources: 64 }, 7],
])('%s', (_, changes, maxGoals) => {
  expect(slotsFor(changes).planning?.with).toEqual({ maxGoals })
})

test.each([
  ['five of many sources fit half of the window', { sources: 64, windowShare: 64 * 0.09 }, true],
  ['five of many sources do not', { sources: 64, windowShare: 64 * 0.18 }, false],
  ['the two there are do not', { sources: 2, windowShare: 0.6 }, false],
  ['their size is unknown', { sources: 2, windowShare: 0.6, unsizedSources: 1 }, true],
  ['the budget is tight, and they do not', { sources: 2, windowShare: 0.6, leastSteps: 30 }, false],
])('calls are made at once or one by one when %s', (_, changes, parallel) => {
  expect(slotsFor(changes).action.with).toEqual({ parallel })
})

test.each([
  ['steps', { budget: { tokens: 1_000_000, steps: 7, usd: null } }],
  ['tokens', { budget: { tokens: 9_999, steps: 40, usd: null } }],
  ['money', { budget: { tokens: 1_000_000, steps: 40, usd: 0.0039 } }],
])('a budget that is tight in %s leaves out the plan, however many parts there are', (_, changes) => {
  const slots = slotsFor({ ...changes, goals: 20, sources: 60, windowShare: 3 })

  expect(slots).toEqual({ memory: guard, planning: null, capability: null, action: react })
})

test('money is no reason when the price of the model is unknown', () => {
  const features = someFeatures({ leastUsd: null, budget: { tokens: 1_000_000, steps: 40, usd: 0.000_001 } })

  expect(ruleFor(features).name).toBe('react')
})

test('each row is taken by some task, and the last applies to every one', () => {
  const tasks = [
    { budget: { tokens: 1, steps: 1, usd: null } },
    { sources: 9, windowShare: 1 },
    { sources: 9 },
    { windowShare: 1 },
    {},
  ]

  expect(tasks.map((changes) => ruleFor(someFeatures(changes)).name)).toEqual(RULES.map(({ name }) => name))
  expect(tasks.every((changes) => RULES.at(-1)?.when(someFeatures(changes)))).toBe(true)
})

test('a reason states the measured facts and the threshold', () => {
  const text = (name: string, changes: Partial<TaskFeatures>): string =>
    RULES.find((rule) => rule.name === name)?.because(someFeatures(changes)) ?? ''

  expect(text('large-volume', { expectedObservationTokens: 8_700, windowShare: 8_700 / 32_000 })).toBe(
    'About 8,700 tokens to observe are 27 % of the window of 32,000; from 15 % on, or if unknown, old observations must be able to give way.',
  )
  expect(text('large-volume', { contextWindow: null, windowShare: null, unsizedSources: 1 })).toContain(
    'a window of unknown size, 1 thing of unknown size among them',
  )
  expect(text('large-volume', { sources: 2, windowShare: 0.6 })).toMatch(
    /What a few calls at once bring would be 60 % of it: one call at a time\.$/,
  )
  expect(text('many-parts', { sources: 7 })).toContain('2 goals, 7 sources, chain of 2; from 5')
  expect(text('tight-budget', { budget: { tokens: 4_000, steps: 6, usd: 0.5 } })).toContain(
    '5 steps of 6, 5,000 tokens of 4,000, USD 0.0020 of 0.50',
  )
})

test('the page of the package shows the rows of the table in their order', () => {
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const table = page.slice(page.indexOf('## The table'))

  const shown = Array.from(table.matchAll(/^\| `([a-z-]+)` +\|/gm), ([, name]) => name)

  expect(shown.slice(0, RULES.length)).toEqual(RULES.map(({ name }) => name))
})
