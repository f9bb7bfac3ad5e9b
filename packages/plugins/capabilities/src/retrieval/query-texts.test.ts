import type { Message } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { queryTexts } from './query-texts.js'

const user = (content: Message['content']): Message => ({ role: 'user', content })
const head = [user('Do it.')]
const messages = [
  ...head,
  user('one'),
  user([
    { type: 'text', text: 'two' },
    { type: 'image', url: 'data:,x' },
  ]),
  user('x'.repeat(9_000)),
]
const ctx = { task: { instruction: 'Do it.' }, directive: { text: 'Go on.' }, view: { messages }, head }

test('tools are looked for by the task, the directive and the last messages, of which each is cut', () => {
  expect(queryTexts(ctx, 2)).toEqual([
    ['Do it.', 1],
    ['Go on.', 1],
    [`two\n\n${'x'.repeat(2_000)}`, 0.5],
  ])
  expect(queryTexts(ctx, 0).at(-1)).toEqual(['', 0.5])
  expect(queryTexts(ctx, 9).at(-1)?.[0]).toContain('one\ntwo')
})

test('of a plan only the goals of now count, and not the words around them', () => {
  const goals = ['a', 'b'].map((id) => ({ id, text: `goal ${id}`, status: 'open' as const }))

  expect(queryTexts({ ...ctx, directive: { text: 'Next on the roadmap: goal b.', plan: { goals } } }, 0)[1]).toEqual([
    'goal b',
    1,
  ])
})
