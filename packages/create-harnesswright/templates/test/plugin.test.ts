import { expect, test } from 'vitest'
import { plugin } from '../src/plugin.js'
import { runWith } from './run-with.js'

test('of a long result head and tail are kept, and the model is told how much is left out', async () => {
  const { result } = await runWith({ plugins: [plugin], options: new Map([[plugin, { most: 200 }]]) }, { steps: 2 })

  const [first] = result.steps[0]?.observations ?? []
  expect(first?.content).toMatch(/^page 1: x+\n\[… 800 characters were left out …\]\nx+$/)
})

test('a result that is short enough stays as it is', async () => {
  const { result } = await runWith({ plugins: [plugin] }, { steps: 2 })

  expect(result.steps[0]?.observations[0]?.content).toHaveLength(1_000)
})
