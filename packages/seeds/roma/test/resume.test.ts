import { resumeLaw } from '@harnesswright/core/testkit'
import { expect, test } from 'vitest'
import { assembled, divided, playing, read, subtasks, TASK } from './tree.js'

const chapters = divided(subtasks(['Read page 2.', 'Read page 3.']))
const parts = {
  [TASK]: divided(subtasks(['Read page 1.', 'Read the rest.', 'Add the numbers.'], { 3: ['1', '2'] })),
  'Read the rest': chapters,
  'Read page 1': { act: [{ call: 'read', with: { page: 1 } }, '7'] },
  'Read page 2': { act: [{ call: 'read', with: { page: 2 } }, '14'] },
  'Read page 3': { act: [{ call: 'read', with: { page: 3 } }, '21'] },
  'Add the numbers': { act: ['42'] },
}

test('a run goes on from every point of its tree as if nothing had happened', async () => {
  const { points, withChildren, faults } = await resumeLaw({
    task: TASK,
    seed: 5,
    async fresh(journal) {
      const model = playing(parts)
      const tools = [{ ...read, idempotent: true }]
      return { harness: await assembled(model, { leastSteps: 2 }, { journal, tools }), requests: model.requests }
    },
  })

  expect(faults).toEqual([])
  expect([points > 40, withChildren > 20]).toEqual([true, true])
}, 60_000)
