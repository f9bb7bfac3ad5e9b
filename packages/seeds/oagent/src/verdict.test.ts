import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readVerdict } from './verdict.js'

const write = (said: object): string => JSON.stringify({ scores: [], answer: 'x', ...said })

test('a verdict is the number of an expert that there is, its answer and the scores', () => {
  const scores = [{ expert: 2, compliance: 9 }]

  expect(readVerdict(write({ selected_expert: 2, answer: ' 7 ', scores }), [1, 2])).toEqual({
    expert: 2,
    answer: '7',
    scores,
  })
  expect(readVerdict(write({ selected_expert: '2' }), [1, 2])?.expert).toBe(2)
  expect(readVerdict('{"selected_expert":1}', [1, 2])).toEqual({ expert: 1, answer: '', scores: [] })
})

test.each([
  '',
  'Expert 2.',
  'null',
  '[2]',
  '{"selected_expert":',
  write({ selected_expert: 3 }),
  write({ selected_expert: null }),
  write({}),
])('%s is none', (text) => {
  expect(readVerdict(text, [1, 2])).toBeUndefined()
})

test('any text is read without a failure', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readVerdict(text, [1, 2])))
})
