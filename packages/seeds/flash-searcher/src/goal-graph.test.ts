import type { Goal, Plan } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currentPath, readyGoals, toPlan, waitingGoals } from './goal-graph.js'
import type { NamedGoal } from './plan-format.js'

const named = (id: string, change: Partial<NamedGoal> = {}): NamedGoal => ({
  id,
  text: `goal ${id}`,
  dependsOn: [],
  paths: [],
  ...change,
})

describe('a plan', () => {
  test('keeps ids and what goals wait for, and opens every way', () => {
    const plan = toPlan([named('a', { paths: ['list', 'shop'] }), named('b', { dependsOn: ['a'] })])

    expect(plan.goals).toEqual([
      {
        id: 'a',
        text: 'goal a',
        status: 'open',
        paths: [
          { text: 'list', status: 'open' },
          { text: 'shop', status: 'open' },
        ],
      },
      { id: 'b', text: 'goal b', status: 'open', dependsOn: ['a'] },
    ])
  })

  test('waits for no goal that is not there, none for itself, and no circle is closed', () => {
    const plan = toPlan([
      named('1', { dependsOn: ['3', '1'] }),
      named('2', { dependsOn: ['1', '9'] }),
      named('3', { dependsOn: ['2'] }),
    ])

    expect(plan.goals.map(({ dependsOn = [] }) => dependsOn)).toEqual([['3'], ['1'], []])
  })

  test('has an id of its own for a goal that has none, or one that is taken', () => {
    const ids = toPlan([named('2'), named(''), named('2'), named('1')]).goals.map(({ id }) => id)

    expect(ids[0]).toBe('2')
    expect(ids[3]).toBe('1')
    expect(new Set(ids).size).toBe(4)
  })

  test('leaves out a way that says what the goal says, and one that stands there twice', () => {
    const plan = toPlan([named('1', { paths: ['goal 1', 'shop', 'shop'] })])

    expect(plan.goals[0]?.paths).toEqual([{ text: 'shop', status: 'open' }])
  })
})

const anyNamed = fc.array(
  fc.record({
    id: fc.constantFrom('', '1', '2', '3', '4', 'x'),
    text: fc.constantFrom('look', 'write', 'check'),
    dependsOn: fc.array(fc.constantFrom('1', '2', '3', '4', 'x', '9'), { maxLength: 4 }),
    paths: fc.array(fc.constantFrom('look', 'list', 'shop'), { maxLength: 3 }),
  }),
  { maxLength: 8 },
)

test('whatever goals wait for, all of them become ready in turn, none before what it waits for', () => {
  fc.assert(
    fc.property(anyNamed, (goals) => {
      let plan: Plan = toPlan(goals)
      const settled: string[] = []
      expect(new Set(plan.goals.map(({ id }) => id)).size).toBe(goals.length)

      for (let turn = 0; turn < goals.length; turn++) {
        const ready = readyGoals(plan)
        expect([...ready, ...waitingGoals(plan)]).toHaveLength(goals.length - settled.length)
        for (const { dependsOn = [] } of ready) expect(dependsOn.filter((id) => !settled.includes(id))).toEqual([])
        const [next] = ready
        if (next === undefined) break
        settled.push(next.id)
        plan = { goals: plan.goals.map((goal): Goal => (goal.id === next.id ? { ...goal, status: 'done' } : goal)) }
      }
      expect(settled).toHaveLength(goals.length)
    }),
  )
})

test('a goal that was given up holds nobody up', () => {
  const { goals } = toPlan([named('1'), named('2', { dependsOn: ['1'] })])
  const plan: Plan = { goals: goals.map((goal) => (goal.id === '1' ? { ...goal, status: 'failed' } : goal)) }

  expect(readyGoals(plan).map(({ id }) => id)).toEqual(['2'])
})

test('the way in which a goal is tried is the first that has not come to an end', () => {
  const goal: Goal = {
    id: '1',
    text: 'look',
    status: 'open',
    paths: [
      { text: 'list', status: 'failed' },
      { text: 'shop', status: 'active' },
      { text: 'ask', status: 'open' },
    ],
  }

  expect(currentPath(goal)?.text).toBe('shop')
  expect(currentPath({ ...goal, paths: [] })).toBeUndefined()
})
