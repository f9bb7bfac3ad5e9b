import { expect, test } from 'vitest'
import type { ModelRequest, ModelResponse, Tool } from '../types/index.js'
import { nativeCodec } from './native.js'

const request: ModelRequest = { purpose: 'act', messages: [] }
const finalAnswer: Tool = { name: 'final_answer', description: '', parameters: {}, execute: () => '' }
const answering = (args: string): ModelResponse => ({
  content: '',
  toolCalls: [
    { id: 'a', name: 'look', arguments: '{}' },
    { id: 'b', name: 'final_answer', arguments: args },
  ],
  finish: 'tool_calls',
})

test('a request is sent as it is', () => {
  expect(nativeCodec.encode(request)).toBe(request)
})

test('a response is a reply, with calls, reasoning and usage where it has them', () => {
  expect(nativeCodec.decode({ content: 'hi', finish: 'stop' }, request)).toEqual({
    content: 'hi',
    toolCalls: [],
    finish: 'stop',
    usage: expect.objectContaining({ source: 'unknown' }),
  })
  expect(nativeCodec.decode({ content: 'hi', reasoning: 'so', finish: 'stop' }, request).reasoning).toBe('so')
})

test.each([
  ['{"answer":{"sum":3}}', { sum: 3 }],
  ['{"answer":null}', null],
  ['{"sum":3}', { sum: 3 }],
  ['"three"', 'three'],
  ['three', 'three'],
])('a call of final_answer with %s is the answer, and no call', (args, answer) => {
  const reply = nativeCodec.decode(answering(args), request)

  expect(reply.answer).toEqual(answer)
  expect(reply.toolCalls.map(({ name }) => name)).toEqual(['look'])
})

test('it is a call like any other where a tool has that name', () => {
  const reply = nativeCodec.decode(answering('{"answer":3}'), { ...request, tools: [finalAnswer] })

  expect(reply.answer).toBeUndefined()
  expect(reply.toolCalls).toHaveLength(2)
})
