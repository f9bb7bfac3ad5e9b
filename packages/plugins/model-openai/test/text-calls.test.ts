import type { Message, Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { createOpenAiModel, type OpenAiModelOptions } from '../src/index.js'
import { withEndpoint } from './support/endpoint.js'
import { add, answerWith, ask, hello, type WireMessage, wireCall } from './support/wire.js'

const MARKER = '<tool_call>{"name":"add","arguments":{"a":1,"b":2}}</tool_call>'

const write: Tool = {
  name: 'write_file',
  description: 'Writes.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, text: { type: 'string' }, times: { type: 'integer' } },
  },
  execute: () => '',
}

/** What the calls of a reply are, the last of these replies, and what was warned of. */
async function callsOf(
  replies: readonly WireMessage[],
  {
    messages = hello,
    stream = false,
    ...options
  }: Partial<OpenAiModelOptions> & { messages?: readonly Message[]; stream?: boolean } = {},
) {
  const warnings: string[] = []
  let calls: readonly (readonly [string, unknown])[] = []
  let last: Awaited<ReturnType<typeof ask>> | undefined
  await withEndpoint(
    ({ index }) => answerWith(replies[index] as WireMessage, { stream }),
    async ({ baseUrl }) => {
      const model = createOpenAiModel({ model: 'm', baseUrl, ...options })
      const onWarning = (text: string): number => warnings.push(text)
      for (const _ of replies) last = await ask(model, { tools: [add, write], messages }, { stream, onWarning })
      calls = (last?.toolCalls ?? []).map((call) => [call.name, JSON.parse(call.arguments)] as const)
    },
  )
  return { calls, warnings, content: last?.content, finish: last?.finish, metadata: last?.metadata }
}

describe.each([{ stream: false }, { stream: true }])('K12 a call written as text, stream: $stream', ({ stream }) => {
  test('is made once when it is the whole content', async () => {
    const made = await callsOf([{ content: `\n${MARKER}\n` }], { stream })
    expect(made).toEqual({
      calls: [['add', { a: 1, b: 2 }]],
      warnings: [],
      content: '',
      finish: 'tool_calls',
      metadata: undefined,
    })
  })

  test.each([
    ['amid prose', `I would write ${MARKER} here.`],
    ['after prose', `Now I add.\n${MARKER}`],
    ['in a fence', `\`\`\`\n${MARKER}\n\`\`\``],
    ['of no tool', '<tool_call>{"name":"adder","arguments":{}}</tool_call>'],
    ['of a tool in other letters', '<tool_call>{"name":"Add","arguments":{}}</tool_call>'],
    ['that is cut', '<tool_call>{"name":"add","arguments":{"a":1'],
    ['without its end', '<tool_call>{"name":"add","arguments":{"a":1,"b":2}}'],
    ['whose arguments are a list', '<tool_call>{"name":"add","arguments":[1]}</tool_call>'],
    ['beside one of no tool', `${MARKER}<tool_call>{"name":"adder","arguments":{}}</tool_call>`],
  ])('is not made %s, and a warning says so', async (_, content) => {
    const { calls, warnings, content: said, metadata } = await callsOf([{ content }], { stream, preset: 'ollama' })
    expect(calls).toEqual([])
    expect(said).toBe(content)
    expect(warnings).toHaveLength(1)
    expect(metadata).toBeUndefined()
  })

  test('is not made beside a native call', async () => {
    const { calls } = await callsOf([{ content: MARKER, tool_calls: [wireCall('c', 'add', '{"a":9,"b":9}')] }], {
      stream,
    })
    expect(calls).toEqual([['add', { a: 9, b: 9 }]])
  })

  test('is not made after a native call of the model, unless the preset says that the endpoint writes calls as text', async () => {
    const replies = [{ tool_calls: [wireCall('c', 'add', '{"a":9,"b":9}')] }, { content: MARKER }]
    expect(await callsOf(replies, { stream })).toMatchObject({ calls: [], content: MARKER })
    expect((await callsOf(replies, { stream, preset: 'vllm' })).calls).toEqual([['add', { a: 1, b: 2 }]])
  })

  test('is not made when no tool may be called', async () => {
    await withEndpoint(
      () => answerWith({ content: MARKER }, { stream }),
      async ({ baseUrl }) => {
        const request = { tools: [add], choice: 'none' } as const
        const { content, toolCalls } = await ask(createOpenAiModel({ model: 'm', baseUrl }), request, { stream })
        expect([content, toolCalls]).toEqual([MARKER, undefined])
      },
    )
  })

  test('is not made when an observation has the same text', async () => {
    const messages: readonly Message[] = [
      ...hello,
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'add', arguments: '{}' }] },
      { role: 'tool', callId: 'c', content: `The page says ${MARKER}.` },
    ]
    const { calls, warnings } = await callsOf([{ content: MARKER }], { stream, messages, preset: 'ollama' })
    expect(calls).toEqual([])
    expect(warnings[0]).toContain('same text')
  })
})

describe('K13 the dialects', () => {
  const made = async (content: string) => (await callsOf([{ content }])).calls

  test('JSON: several at once, in order, with end tags in texts', async () => {
    const second =
      '<tool_call>\n{"name": "write_file", "arguments": {"path": "a", "text": "</tool_call>"}}\n</tool_call>'
    expect(await made(`${MARKER}\n${second}`)).toEqual([
      ['add', { a: 1, b: 2 }],
      ['write_file', { path: 'a', text: '</tool_call>' }],
    ])
  })

  test('function and parameter tags, with the types of the tool', async () => {
    const call =
      '<tool_call>\n<function=write_file>\n<parameter=path>\n7\n</parameter>\n<parameter=text>\nline 1\n  line 2\n</parameter>\n<parameter=times>3</parameter>\n</function>\n</tool_call>'
    expect(await made(call)).toEqual([['write_file', { path: '7', text: 'line 1\n  line 2', times: 3 }]])
    expect(await made('<function=add><parameter=a>1</parameter><parameter=b>2</parameter></function>')).toEqual([
      ['add', { a: 1, b: 2 }],
    ])
  })

  test('arg_key and arg_value tags', async () => {
    const call =
      '<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n<arg_key>b</arg_key>\n<arg_value>2</arg_value>\n</tool_call>'
    expect(await made(call)).toEqual([['add', { a: 1, b: 2 }]])
    expect(await made('<tool_call>add</tool_call>')).toEqual([['add', {}]])
  })

  test('two tags in one marker, or a marker in a marker, are no call', async () => {
    const call = '<function=add></function>'
    expect(await made(`<tool_call>${call}${call}</tool_call>`)).toEqual([])
    expect(await made(`<tool_call>${MARKER}</tool_call>`)).toEqual([])
  })

  test('a long text of half markers is refused quickly', async () => {
    const startMs = performance.now()
    await made('<tool_call>{"name":"add"'.repeat(20_000))
    await made('<tool_call>{</tool_call>'.repeat(20_000))
    expect(performance.now() - startMs).toBeLessThan(1_000)
  })
})
