import { resumeLaw } from '@harnesswright/core/testkit'
import { expect, test } from 'vitest'
import { assembled, delegate, type Parts, playing, read, TASK } from './agents.js'

const parts: Parts = {
  [TASK]: [
    { calls: [delegate('Read page 1.', { context: 'Pages count from 1.' }), delegate('Read the rest.')] },
    {
      calls: [
        delegate('Add up.', { context: '[Result 1] and [Result 2]' }),
        delegate('Read page 1.'),
        delegate('read page 1.'),
      ],
    },
    'done',
  ],
  'Read page 1': [{ call: 'read', with: { page: 1 } }, '7'],
  'Read the rest': [
    { calls: [{ call: 'read', with: { page: 2 } }, delegate('Read page 3.'), delegate('Read page 4.')] },
    '63',
  ],
  'Read page 3': [{ call: 'read', with: { page: 3 } }, '21'],
  'Read page 4': [{ call: 'report_blocked', with: { notes: 'it is torn' } }],
  'Add up': ['70'],
}

test('a run goes on from every point of its tree as if nothing had happened', async () => {
  const { points, withChildren, faults } = await resumeLaw({
    task: TASK,
    seed: 5,
    async fresh(journal) {
      const model = playing(parts)
      const tools = [{ ...read, idempotent: true }]
      return { harness: (await assembled(model, undefined, { journal, tools })).harness, requests: model.requests }
    },
  })

  expect(faults).toEqual([])
  expect([points > 40, withChildren > 20]).toEqual([true, true])
}, 60_000)
