import { expect, test } from 'vitest'
import { action } from '../src/action.js'
import { runWith } from './run-with.js'

test('calls of the model are made, and its words without a call are the answer', async () => {
  const { result } = await runWith({ action }, { steps: 3 })

  expect(result).toMatchObject({ status: 'answered', answer: 'That is all.' })
  expect(result.steps.map(({ action: { kind } }) => kind)).toEqual(['call', 'call', 'answer'])
})
