import type { Tool } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTextOf, sampleText } from '../../test/support/sample-grammar.js'
import { callText } from './call-form.js'
import { createReplyReader } from './read-reply.js'
import { replyGrammar, type Shaping } from './reply-grammar.js'

const look: Tool = {
  name: 'look.up',
  description: 'Looks up a word.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  execute: () => '',
}
const add: Tool = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
  execute: () => '',
}
const free: Tool = { name: 'free', description: '', parameters: {}, execute: () => '' }

function takes(shaping: Shaping, text: string): boolean {
  const grammar = replyGrammar(shaping)
  return grammar === undefined || isTextOf(grammar, text)
}

const lookNorth = callText('look.up', '{"word": "north"}')
const addOne = callText('add', '{"a": 1}')

describe('the grammar of a reply', () => {
  test('is none without tools and schema', () => {
    expect(replyGrammar({})).toBeUndefined()
    expect(replyGrammar({ tools: [] })).toBeUndefined()
  })

  test('takes prose, a call, or prose and a call at its end', () => {
    const tools = { tools: [look, add] }

    for (const text of ['Hello.', lookNorth, `I look.\n${lookNorth}`, addOne, 'a < b <tool_x> <<tool_call', '<']) {
      expect([text, takes(tools, text)]).toEqual([text, true])
    }
    for (const text of [
      '',
      `${lookNorth} and more`,
      `${lookNorth}\n${addOne}`,
      '<tool_call>',
      'x <tool_call> y',
      '<<tool_call>',
    ]) {
      expect([text, takes(tools, text)]).toEqual([text, false])
    }
  })

  test('takes no call of a tool that is not there, or with arguments that do not fit', () => {
    for (const call of [
      callText('sub', '{"a": 1}'),
      callText('add', '{"a": "1"}'),
      callText('add', '{}'),
      callText('add', '1'),
    ]) {
      expect(takes({ tools: [add] }, call)).toBe(false)
    }
    expect(takes({ tools: [free] }, callText('free', '{"any": ["thing", 1]}'))).toBe(true)
    expect(takes({ tools: [free] }, callText('free', '[]'))).toBe(false)
  })

  test('takes nothing but a call where one is demanded, and of the tool that is demanded', () => {
    expect(takes({ tools: [look, add], choice: 'required' }, lookNorth)).toBe(true)
    expect(takes({ tools: [look, add], choice: 'required' }, 'Hello.')).toBe(false)
    expect(takes({ tools: [look, add], choice: { tool: 'add' } }, addOne)).toBe(true)
    expect(takes({ tools: [look, add], choice: { tool: 'add' } }, lookNorth)).toBe(false)
  })

  test('takes no call where none is allowed: prose alone, without their marker', () => {
    expect(takes({ tools: [look], choice: 'none' }, 'Hello <b>.')).toBe(true)
    expect(takes({ tools: [look], choice: 'none' }, lookNorth)).toBe(false)
    expect(takes({ tools: [look], choice: 'none' }, 'x <tool_call>')).toBe(false)
  })

  test('takes no marker either where there are no tools any more, but calls before', () => {
    const call = { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'add', arguments: '{}' }] } as const

    expect(takes({ messages: [call] }, 'The sum is 3.')).toBe(true)
    expect(takes({ messages: [call] }, addOne)).toBe(false)
    expect(replyGrammar({ messages: [{ role: 'user', content: addOne }] })).toBeUndefined()
  })

  test('takes several calls only where that is wanted', () => {
    const calls = Array.from({ length: 8 }, () => addOne).join('\n')

    expect(takes({ tools: [look, add], parallelToolCalls: true }, `Both.\n${lookNorth}\n${addOne}`)).toBe(true)
    expect(takes({ tools: [add], parallelToolCalls: true }, calls)).toBe(true)
    expect(takes({ tools: [add], parallelToolCalls: true }, `${calls}\n${addOne}`)).toBe(false)
    expect(takes({ tools: [add], parallelToolCalls: false }, `${addOne}\n${addOne}`)).toBe(false)
  })

  test('K9 takes a call or a value of the schema where both are there', () => {
    const shaping: Shaping = {
      tools: [look],
      schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    }

    expect(takes(shaping, '{"n": 3}')).toBe(true)
    expect(takes(shaping, lookNorth)).toBe(true)
    expect(takes(shaping, 'Hello.')).toBe(false)
    expect(takes({ ...shaping, choice: 'none' }, lookNorth)).toBe(false)
  })

  test('has only texts that are read back as prose and calls of the tools', () => {
    const draws = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
    const grammar = replyGrammar({ tools: [look, add, free], parallelToolCalls: true })
    fc.assert(
      fc.property(draws, (stream) => {
        if (grammar === undefined) throw new Error('there are tools')
        const text = sampleText(grammar, () => stream.next().value as number)
        const reader = createReplyReader('anywhere')
        reader.push(text)
        const { content, calls } = reader.end()
        const written = calls.map((call) => callText(call.name, call.arguments)).join('\n')
        expect(text.startsWith(content)).toBe(true)
        expect(text.endsWith(written)).toBe(true)
        for (const call of calls) expect(typeof JSON.parse(call.arguments)).toBe('object')
      }),
    )
  })
})
