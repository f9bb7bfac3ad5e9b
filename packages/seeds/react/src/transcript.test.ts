import type { Message } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { textOf, transcriptOf } from './transcript.js'

test('a transcript says what was said, called and observed, each result beside the name of its tool', () => {
  const messages: readonly Message[] = [
    {
      role: 'assistant',
      content: 'Both at once.',
      toolCalls: [
        { id: 'c1', name: 'read', arguments: '{"page":1}' },
        { id: 'c2', name: 'find', arguments: '{}' },
      ],
    },
    { role: 'tool', callId: 'c1', content: 'page 1' },
    { role: 'tool', callId: 'c2', content: 'error: no page' },
    { role: 'tool', callId: 'c9', content: 'late' },
    { role: 'user', content: 'Try again.' },
  ]

  expect(transcriptOf(messages)).toBe(
    [
      'Both at once.',
      'Call of read with {"page":1}',
      'Call of find with {}',
      'Result of read: page 1',
      'Result of find: error: no page',
      'Result of a tool: late',
      'Try again.',
    ].join('\n'),
  )
})

test('a message without words has no line, and images have no text', () => {
  const call = { id: 'c1', name: 'read', arguments: '{}' }

  expect(transcriptOf([{ role: 'assistant', content: '', toolCalls: [call] }])).toBe('Call of read with {}')
  expect(
    textOf({
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', url: 'data:,' },
      ],
    }),
  ).toBe('see\n')
})
