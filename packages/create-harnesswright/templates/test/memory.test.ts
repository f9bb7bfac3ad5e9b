import { expect, test } from 'vitest'
import { memory } from '../src/memory.js'
import { runWith } from './run-with.js'

test('the last steps are shown whole, and of those before what the model said', async () => {
  const { requests } = await runWith({ memory, options: new Map([[memory, { wholeSteps: 2 }]]) }, { steps: 8 })

  const last = requests.at(-1)?.messages ?? []
  expect(last.find(({ note }) => note === 'summary')?.content).toContain('Now page 1.')
  expect(JSON.stringify(last)).not.toContain('page 1: x')
  expect(JSON.stringify(last)).toContain('page 7: x')
})

test('a short run is shown as it was', async () => {
  const { requests } = await runWith({ memory }, { steps: 3 })

  expect(requests.at(-1)?.messages.some(({ note }) => note === 'summary')).toBe(false)
})
