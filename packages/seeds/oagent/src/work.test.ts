import type { RunResult } from '@harnesswright/core'
import type { Rollout } from '@harnesswright/seed-aggagent/parts'
import { expect, test } from 'vitest'
import { writeWork } from './work.js'

function expert(number: number, answer: string | null, seen: readonly string[] = []): Rollout {
  const steps = seen.map((content, at) => ({ index: at + 1, messages: [{ role: 'tool', content, callId: `c${at}` }] }))
  const result = {
    status: answer === null ? 'limit' : 'answered',
    reason: 'steps',
    answer,
    steps,
  } as unknown as RunResult
  return { number, path: `1.expert-${number}`, result }
}

test('the work of an expert is its answer on one line, and what it saw that bears on it, in the order of its steps', () => {
  const seen = ['Nothing here.', 'The height of Borm\nis 9 m.', 'The height of Alba is 7 m.']

  expect(writeWork([expert(1, 'height of Alba:\n7 m,\nof Borm 9 m', seen)], { snippets: 5, chars: 500 })).toBe(
    [
      'Expert 1: height of Alba: 7 m, of Borm 9 m',
      '- seen by expert 1 in step 2: The height of Borm is 9 m.',
      '- seen by expert 1 in step 3: The height of Alba is 7 m.',
    ].join('\n'),
  )
})

test('of what was seen the best pieces are shown, as many and as long as they may be', () => {
  const seen = ['alba', 'alba borm', 'alba borm cersk']
  const lines = writeWork([expert(1, 'alba borm cersk', seen)], { snippets: 2, chars: 9 }).split('\n')

  expect(lines.slice(1)).toEqual([
    '- seen by expert 1 in step 2: alba borm',
    '- seen by expert 1 in step 3: alba borm…',
  ])
})

test('an expert without an answer is told of with the reason', () => {
  expect(writeWork([expert(1, null), { number: 2, path: 'x', result: undefined }], { snippets: 5, chars: 500 })).toBe(
    '[Expert 1] has no answer: steps.\n\n[Expert 2] has no answer: it was not started.',
  )
})
