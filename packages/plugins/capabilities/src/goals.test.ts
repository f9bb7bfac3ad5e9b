import type { Goal, Plan } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { currentGoals, goalsAhead } from './goals.js'

const goal = (id: string, status: Goal['status'], dependsOn?: readonly string[]): Goal => ({
  id,
  text: `goal ${id}`,
  status,
  ...(dependsOn && { dependsOn }),
})
const ids = (goals: readonly Goal[]) => goals.map(({ id }) => id)
const current = (goals: readonly Goal[], text = '') => ids(currentGoals({ plan: { goals }, text }))

describe('the goals of now', () => {
  test('are those that the directive names, and that wait for nothing', () => {
    const goals = [goal('a', 'open'), goal('b', 'open'), goal('c', 'open', ['b'])]

    expect(current(goals, 'Work on goal a and goal b, then goal c.')).toEqual(['a', 'b'])
    expect(current(goals, 'Next: goal b.')).toEqual(['b'])
  })

  test('are the active ones, else the first that is open, where it names none', () => {
    expect(current([goal('a', 'done'), goal('b', 'open'), goal('c', 'active')])).toEqual(['c'])
    expect(current([goal('a', 'failed'), goal('b', 'open'), goal('c', 'open')])).toEqual(['b'])
  })

  test('wait for goals that are open, and not for those that failed or are unknown', () => {
    expect(current([goal('a', 'open', ['b']), goal('b', 'open')])).toEqual(['b'])
    expect(current([goal('a', 'open', ['b', 'x']), goal('b', 'failed')])).toEqual(['a'])
  })

  test('are not none because goals wait for each other', () => {
    expect(current([goal('a', 'open', ['b']), goal('b', 'open', ['a'])])).toEqual(['a'])
  })

  test('are none without a plan, and when all are settled', () => {
    expect(ids(currentGoals({ text: 'Go on.' }))).toEqual([])
    expect(current([goal('a', 'done'), goal('b', 'failed')], 'goal a')).toEqual([])
  })
})

test('the goals ahead are those after the last current one that are not settled', () => {
  const plan: Plan = { goals: ['a', 'b', 'c', 'd', 'e'].map((id) => goal(id, id === 'c' ? 'done' : 'open')) }
  const [, b] = plan.goals

  expect(ids(goalsAhead({ plan, text: '' }, [b as Goal], 2))).toEqual(['d', 'e'])
  expect(ids(goalsAhead({ plan, text: '' }, [b as Goal], 0))).toEqual([])
})
