import type { Message, ModelRequest, Tool } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { add } from '../../test/support/wire.js'
import { RequestWriter } from './request-writer.js'

const dialect = {
  emptyContent: 'null',
  echo: 'calls',
  reasoningField: 'reasoning_content',
  needsReasoning: false,
} as const

const writerOf = (): RequestWriter =>
  new RequestWriter({ model: 'm', preset: { name: 'compatible', verified: 'none' }, messages: dialect, extra: {} })

const bodyOf = (writer: RequestWriter, request: Partial<ModelRequest>) =>
  JSON.parse(writer.write({ purpose: 'act', messages: [], ...request }, false).body)

const text = fc.string({ unit: 'binary', maxLength: 20 })
const name = fc.constantFrom('add', 'sub', 'a.b', 'résumé', '')
const call = fc.record({ id: text, name, arguments: text })
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user'), content: text }),
  fc.record(
    {
      role: fc.constant('assistant' as const),
      content: text,
      reasoning: text,
      toolCalls: fc.array(call, { maxLength: 3 }),
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record({ role: fc.constant('tool' as const), callId: text, content: text }),
  fc.record({
    role: fc.constant('user' as const),
    content: fc.array(fc.record({ type: fc.constant('text' as const), text }), { maxLength: 2 }),
  }),
)

describe('a writer of requests', () => {
  test('writes a request as if it were its first, whatever it wrote before', () => {
    const messages = fc.array(message, { maxLength: 12 })
    const cuts = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(messages, cuts, (all, requests) => {
        const writer = writerOf()
        for (const [from, to] of requests) {
          const request = { messages: all.slice(from, to), tools: [add] }
          expect(bodyOf(writer, request)).toEqual(bodyOf(writerOf(), request))
        }
      }),
    )
  })

  test('writes a message that was changed in place as it is now', () => {
    const writer = writerOf()
    const changed: { -readonly [Field in keyof Message]: Message[Field] } = { role: 'assistant', content: 'before' }
    const sent = (): unknown => bodyOf(writer, { messages: [changed] }).messages[0]
    expect(sent()).toEqual({ role: 'assistant', content: 'before' })
    changed.content = 'after'
    expect(sent()).toEqual({ role: 'assistant', content: 'after' })
    changed.reasoning = 'Hm.'
    changed.toolCalls = [{ id: 'c', name: 'add', arguments: '{}' }]
    expect(sent()).toMatchObject({ reasoning_content: 'Hm.', tool_calls: [{ id: 'c' }] })
  })

  test('writes a tool that was changed in place as it is now', () => {
    const writer = writerOf()
    const changed: { -readonly [Field in keyof Tool]: Tool[Field] } = { ...add }
    const sent = () => bodyOf(writer, { tools: [changed] }).tools[0].function
    expect(sent().description).toBe(add.description)
    changed.description = 'Sums up.'
    expect(sent().description).toBe('Sums up.')
    changed.parameters = { type: 'object' }
    expect(sent().parameters).toEqual({ type: 'object' })
  })

  test('sends reasoning in another field once the endpoint has shown it, also that of messages it has written', () => {
    const writer = writerOf()
    const toolCalls = [{ id: 'c', name: 'add', arguments: '{}' }]
    const messages: readonly Message[] = [{ role: 'assistant', content: '', reasoning: 'Hm.', toolCalls }]
    expect(bodyOf(writer, { messages }).messages[0]).toHaveProperty('reasoning_content', 'Hm.')
    writer.sendReasoningIn('reasoning')
    expect(bodyOf(writer, { messages }).messages[0]).toHaveProperty('reasoning', 'Hm.')
    expect(bodyOf(writer, { messages }).messages[0]).not.toHaveProperty('reasoning_content')
  })

  test('lets no field of the host stand beside its own', () => {
    const writer = new RequestWriter({
      model: 'm',
      preset: { name: 'compatible', verified: 'none' },
      messages: dialect,
      extra: { model: 'other', messages: ['x'], tools: ['x'], top_k: 3 },
    })
    const { body } = writer.write({ purpose: 'act', messages: [], tools: [add] }, false)
    expect(JSON.parse(body)).toMatchObject({ model: 'm', messages: [], tools: [{ type: 'function' }], top_k: 3 })
    expect(body.match(/"(messages|tools|model)":/g)).toHaveLength(3)
  })
})
