import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSummary } from './summary-text.js'

test.each([
  ['between its tags (D16)', 'Here it is:\n<summary>\nA is 3.\n</summary>\nDone.', 'A is 3.'],
  ['without tags', '  A is 3. ', 'A is 3.'],
  ['after a thought, which is none of it', '<think>maybe <summary>no</summary></think><summary>A</summary>', 'A'],
  ['after a thought that was never ended', 'A is 3.<think>and then', 'A is 3.'],
  ['that was cut off', '<summary>A is 3, and B', 'A is 3, and B'],
  ['in capitals', '<SUMMARY>A</Summary>', 'A'],
  ['with tags inside', '<summary>A <summary> B</summary>', 'A   B'],
])('a summary is read %s', (_how, reply, summary) => {
  expect(readSummary(reply)).toBe(summary)
})

test.each(['', ' \n', '<summary></summary>', '<think>all of it</think>', '<summary>\n</summary> nothing'])(
  'there is none in %j',
  (reply) => {
    expect(readSummary(reply)).toBe('')
  },
)

test('whatever a model writes, no tag of a summary is left in it', () => {
  const part = fc.constantFrom('<summary>', '</summary>', '<think>', '</think>', '<sum', 'mary>', 'A is 3. ', '\n')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(readSummary(parts.join(''))).not.toMatch(/<\/?summary>/)
    }),
  )
})
