import { expect, test } from 'vitest'
import { planning } from '../src/planning.js'
import { runWith } from './run-with.js'

test('the task is repeated every so many steps', async () => {
  const { result } = await runWith({ planning, options: new Map([[planning, { every: 2 }]]) }, { steps: 4 })

  expect(result.steps.map(({ directive }) => directive.text !== '')).toEqual([false, true, false, true])
  expect(result.steps[1]?.directive.text).toContain('Read the pages.')
})

test('the answer is asked for when few steps are left', async () => {
  const { result } = await runWith({ planning, options: new Map([[planning, { closing: 1 }]]) }, { steps: 4, most: 4 })

  expect(result.steps.map(({ directive }) => directive.text.includes('best answer'))).toEqual([
    false,
    false,
    false,
    true,
  ])
})
