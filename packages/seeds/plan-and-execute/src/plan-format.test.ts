import type { Goal, Plan } from '@harnesswright/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyReview, currentGoal, readPlan } from './plan-format.js'

const goal = (id: string, text: string, status: Goal['status'] = 'open'): Goal => ({ id, text, status })
const plan: Plan = { goals: [goal('1', 'read the order'), goal('2', 'read the lists'), goal('3', 'write the answer')] }

test('a plan is read from JSON, and from numbered lines where the model was not bound to a schema', () => {
  expect(readPlan('{"goals":[{"id":"1","text":"look"}]}')).toEqual({ goals: [goal('1', 'look')] })
  expect(readPlan('Here it is:\n1. look\n2) write\n- check')).toEqual({
    goals: [goal('1', 'look'), goal('2', 'write'), goal('3', 'check')],
  })
})

test('a text without goals is no plan', () => {
  expect(readPlan('Well, that is hard to say')).toBeUndefined()
})

test('goals get ids of their own where the model gave one twice', () => {
  expect(readPlan('{"goals":[{"id":"1","text":"a"},{"id":"1","text":"b"}]}')?.goals.map(({ id }) => id)).toEqual([
    '1',
    '2',
  ])
})

test('a review changes statuses and adds goals, and loses none', () => {
  const reviewed = applyReview(
    plan,
    '{"goals":[{"id":"1","text":"read the order","status":"done"},{"id":"9","text":"check the sum","status":"open"}]}',
  )

  expect(reviewed?.goals).toEqual([
    goal('1', 'read the order', 'done'),
    goal('2', 'read the lists'),
    goal('3', 'write the answer'),
    goal('9', 'check the sum'),
  ])
})

test('whatever a model writes, a review keeps every goal with its words and distinct ids', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const reviewed = applyReview(plan, text)
      if (reviewed === undefined) return
      expect(reviewed.goals.slice(0, 3).map(({ text: words }) => words)).toEqual(
        plan.goals.map(({ text: words }) => words),
      )
      expect(new Set(reviewed.goals.map(({ id }) => id)).size).toBe(reviewed.goals.length)
    }),
  )
})

test('the current goal is the active one, else the first open one, else none', () => {
  expect(currentGoal(plan)?.id).toBe('1')
  expect(currentGoal({ goals: [goal('1', 'a', 'done'), goal('2', 'b'), goal('3', 'c', 'active')] })?.id).toBe('3')
  expect(currentGoal({ goals: [goal('1', 'a', 'done')] })).toBeUndefined()
})
