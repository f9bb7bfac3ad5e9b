import { expect, test } from 'vitest'
import { capability } from '../src/capability.js'
import { runWith } from './run-with.js'

test('tools that change something are offered after the first steps, behind those that read', async () => {
  const { result } = await runWith({ capability, options: new Map([[capability, { lookSteps: 2 }]]) }, { steps: 4 })

  expect(result.steps.map(({ capabilities }) => capabilities)).toEqual([
    ['read'],
    ['read'],
    ['read', 'write'],
    ['read', 'write'],
  ])
})
