import { expect, test } from 'vitest'
import type { Json, Plan } from '../types/index.js'
import { renderHeading, renderPlan, renderTask } from './render.js'

test('a task is its instruction, its inputs and what is handed over, and no more than it has', () => {
  const values = new Map<string, Json>()
  const artifacts = {
    put: (id: string, value: Json) => void values.set(id, value),
    get: (id: string) => values.get(id),
  }
  artifacts.put('a1', { rows: 2 })

  expect(renderTask({ instruction: 'Sum it.' }, artifacts)).toBe('Sum it.')
  expect(renderTask({ instruction: 'Sum it.', inputs: [1] }, artifacts)).toBe('Sum it.\n\nInputs:\n[\n  1\n]')
  expect(renderTask({ instruction: 'Sum it.', context: ['a1', 'a2'] }, artifacts)).toBe(
    'Sum it.\n\n<context>\n{"rows":2}\n\nartifact a2 is not available\n</context>',
  )
  expect(renderTask({ instruction: 'Sum it.', context: [] }, artifacts)).toBe('Sum it.')
})

test('an artifact that is an empty text is handed over as one', () => {
  const values = new Map<string, Json>()
  const artifacts = {
    put: (id: string, value: Json) => void values.set(id, value),
    get: (id: string) => values.get(id),
  }
  artifacts.put('a1', '')

  expect(renderTask({ instruction: 'x', context: ['a1'] }, artifacts)).toBe('x\n\n<context>\n\n</context>')
})

test('a plan is one line a goal, in its own words, with number, status and what it waits for beside them', () => {
  const plan: Plan = {
    goals: [
      { id: '1', text: 'Read the order', status: 'done' },
      {
        id: '2',
        text: 'Find the price',
        status: 'active',
        dependsOn: ['1'],
        paths: [{ text: 'the list', status: 'failed' }],
      },
    ],
  }

  expect(renderPlan(plan)).toBe('1. Read the order (done)\n2. Find the price (active, after 1)\n   - the list (failed)')
})

test('a heading names its step, or the first and the last', () => {
  expect(renderHeading('Step', 12)).toBe('[Step 12]')
  expect(renderHeading('Compressed Step', 2, 5)).toBe('[Compressed Step 2 to 5]')
})
