import type { Message } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { rawSteps, readEntries } from './entries.js'

const said = (role: Message['role'], content: string): Message => ({ role, content })

test('an entry is what stands under its heading, over calls and results, up to the next heading', () => {
  const messages: readonly Message[] = [
    said('system', '[Step 99] of the prompt'),
    said('user', 'The task.'),
    said('user', '[Compressed Step 1 to 4] what was found\nand more'),
    {
      role: 'assistant',
      content: '[Step 5] I look.',
      toolCalls: [{ id: 'c', name: 'read_file', arguments: '{"path":"a"}' }],
    },
    { role: 'tool', callId: 'c', content: 'the text of a' },
    said('user', 'Next: b.'),
  ]

  expect(readEntries(messages).map(({ kind, first, last, text }) => [kind, first, last, text])).toEqual([
    ['Compressed Step', 1, 4, ' what was found\nand more'],
    ['Step', 5, 5, ' I look.\nread_file {"path":"a"}\nthe text of a'],
  ])
})

test('headings in one message part it, those in the middle of a line are none, and one that comes twice is one entry', () => {
  const text = 'Memory:\n[Node 1] one\n- [Node 2]: two, after [Node 1]\n[Node 1] again'

  expect(readEntries([said('user', text)]).map((entry) => [entry.first, entry.text])).toEqual([
    [1, ' one\n\n again'],
    [2, ': two, after [Node 1]\n'],
  ])
})

test('raw are the steps behind the last fold, under whichever heading a single step has', () => {
  const raw = (text: string) => rawSteps(readEntries([said('user', text)])).map(({ first }) => first)

  expect(raw('[Step 1] a\n[Compressed Step 2 to 4] b\n[Compressed Step 5] c\n[Step 6] d\n[Page 7] e')).toEqual([5, 6])
  expect(raw('[Step 1] a\n[Step 2] b')).toEqual([1, 2])
})

test('tokens are those of the text at four characters each', () => {
  expect(readEntries([said('user', `[Step 1]${'x'.repeat(400)}`)])[0]?.tokens).toBe(100)
})
