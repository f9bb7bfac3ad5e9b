import type { Message } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { headStep } from './headed-step.js'

const said = (content: Message['content']): Message => ({
  role: 'assistant',
  content,
  wire: { codec: 'json', content: '{}' },
})

test.each([
  ['words', 'I read on.', '[Step 7] I read on.'],
  ['no words', '', '[Step 7]'],
  ['a heading that the model copied', '[Step 6] [Compressed Step 1 to 5]  I read on.', '[Step 7] I read on.'],
  ['brackets of its own', '[Note 1] I read on.', '[Step 7] [Note 1] I read on.'],
])('a step with %s stands under its heading', (_what, content, headed) => {
  expect(headStep([said(content)], 7)).toEqual([{ role: 'assistant', content: headed }])
})

test('results and notes have no heading, and parts keep their images', () => {
  const others: readonly Message[] = [
    { role: 'tool', callId: 'c1', content: 'page 1' },
    { role: 'user', content: 'plan', note: 'plan' },
  ]
  const image = { type: 'image', url: 'data:,' } as const

  expect(headStep(others, 7)).toEqual(others)
  expect(headStep([said([image])], 7)[0]?.content).toEqual([{ type: 'text', text: '[Step 7]' }, image])
})
