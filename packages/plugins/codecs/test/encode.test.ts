import type { Message, ModelRequest } from '@harnesswright/core'
import { codecs, jsonCodec, markerCodec } from '@harnesswright/plugin-codecs'
import { describe, expect, test } from 'vitest'
import { asking, aTool, fold, observed, read, TOTAL, write } from './support.js'

const contents = ({ messages }: ModelRequest): readonly unknown[] => messages.map((message) => message.content)
const system = (request: ModelRequest): string => request.messages[0]?.content as string

describe.each(codecs)('a request in the form $name', (codec) => {
  test('has neither tools nor results of its own: they stand in its text', () => {
    const { messages, ...rest } = codec.encode(
      asking({ messages: observed('12'), choice: 'auto', parallelToolCalls: true }),
    )

    expect(rest).toEqual({ purpose: 'act', seed: 7 })
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(messages.every((message) => message.toolCalls === undefined && message.callId === undefined)).toBe(true)
  })

  test('tells in the system message how to reply, and each tool with its schema on a line', () => {
    const text = system(codec.encode(asking()))

    expect(text.startsWith('You solve tasks.\n\n# How to reply\n\n')).toBe(true)
    for (const { name, description, parameters } of [read, write, fold])
      expect(text.split('\n')).toContain(JSON.stringify({ name, description, parameters }))
  })

  test('has a system message where the history has none', () => {
    const request = codec.encode(asking({ messages: [{ role: 'user', content: 'Go.' }] }))

    expect(request.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  })

  test('begins like the one before, to the byte, for as long as the tools are the same', () => {
    const before = codec.encode(asking({ messages: observed('12') }))
    const after = codec.encode(
      asking({
        messages: [...observed('12'), { role: 'assistant', content: 'Next.' }, { role: 'user', content: 'Go on.' }],
      }),
    )

    expect(contents(after).slice(0, before.messages.length)).toEqual(contents(before))
  })

  test('tells apart the results of several calls', () => {
    const [one, other] = codec.encode(asking({ messages: observed('12', '13') })).messages.slice(-2)

    expect(one?.content).toMatch(/^<(observation-\w+) tool="read_file" call="1">\n12\n<\/\1>$/)
    expect(other?.content).toMatch(/^<(observation-\w+) tool="read_file" call="2">\n13\n<\/\1>$/)
  })

  test('names the tags of observations by the seed of the run, so that a run is the same again', () => {
    const shown = (seed: number) => codec.encode(asking({ seed, messages: observed('12') })).messages.at(-1)?.content

    expect(shown(1)).toBe(shown(1))
    expect(shown(1)).not.toBe(shown(2))
  })

  test('keeps an image of a result beside the tags', () => {
    const image = { type: 'image', url: 'data:image/png;base64,AA' } as const
    const messages = observed('x').with(-1, {
      role: 'tool',
      callId: 'c0',
      content: [{ type: 'text', text: 'a chart' }, image],
    })

    expect(codec.encode(asking({ messages })).messages.at(-1)?.content).toEqual([
      { type: 'text', text: expect.stringContaining('a chart') },
      image,
    ])
  })

  test('says what is to be chosen at its end', () => {
    const last = (choice: NonNullable<ModelRequest['choice']>) =>
      codec.encode(asking({ choice })).messages.at(-1)?.content

    expect(last('none')).toBe('Call no tool now: give "final_answer".')
    expect(last('required')).toBe('Call a tool now.')
    expect(last({ tool: 'read_file' })).toBe('Call the tool "read_file" now.')
    expect(last('auto')).toBe('Read a.txt.')
  })

  test('says how many calls a reply may have, and the shape of the answer, and binds it by no schema', () => {
    expect(system(codec.encode(asking({ parallelToolCalls: false })))).toMatch(/A reply has one/)
    expect(system(codec.encode(asking()))).toMatch(/up to five/)
    const shaped = codec.encode(asking({ schema: TOTAL }))
    expect(shaped.schema).toBeUndefined()
    expect(system(shaped)).toContain(JSON.stringify(TOTAL))
  })

  test('without tools says nothing of them, and leaves the schema to the endpoint', () => {
    const request = codec.encode(asking({ tools: [], schema: TOTAL, messages: observed('12') }))

    expect(system(request)).toBe('You solve tasks.')
    expect(request.schema).toBe(TOTAL)
    expect(request.messages.at(-1)?.content).toContain('\n12\n')
  })

  test('has the words of the model as it wrote them, and another form’s in this one', () => {
    const toolCalls = [{ id: 'a', name: 'read_file', arguments: '{"path":"a.txt"}' }]
    const assistant = (change: Partial<Message>): unknown =>
      codec
        .encode(asking({ messages: [{ role: 'assistant', content: 'I look.', toolCalls, ...change }] }))
        .messages.at(-1)?.content
    const own = `anything { "at" all`

    expect(assistant({ wire: { codec: codec.name, content: own } })).toBe(own)
    expect(assistant({ wire: { codec: 'other', content: own } })).toBe(assistant({}))
    expect(codec.decode({ content: assistant({}) as string, finish: 'stop' }, asking())).toMatchObject({
      content: 'I look.',
      toolCalls: [{ name: 'read_file', arguments: '{"path":"a.txt"}' }],
    })
  })

  test('leaves an answer of an earlier turn as it is', () => {
    const messages: readonly Message[] = [
      { role: 'assistant', content: 'Paris.' },
      { role: 'user', content: 'And Italy?' },
    ]

    expect(contents(codec.encode(asking({ messages }))).slice(1)).toEqual(['Paris.', 'And Italy?'])
  })

  test('keeps the reasoning of an endpoint beside the text, and thinking of the text in it only', () => {
    const assistant = (wire: string): Message | undefined =>
      codec
        .encode(
          asking({
            messages: [
              { role: 'assistant', content: '', reasoning: 'Hm, so.', wire: { codec: codec.name, content: wire } },
            ],
          }),
        )
        .messages.at(-1)

    expect(assistant('x')?.reasoning).toBe('Hm, so.')
    expect(assistant('<think>Hm, so.</think>x')?.reasoning).toBeUndefined()
  })

  test('does not change what it is given, and gives the same objects for the same messages', () => {
    const request = asking({ messages: observed('12') })
    const copy = structuredClone(request.messages)
    const [first, second] = [codec.encode(request), codec.encode({ ...request })]

    expect(request.messages).toEqual(copy)
    expect(first.messages.slice(1).every((message, index) => message === second.messages[index + 1])).toBe(true)
  })
})

test('a history is the same whatever form it was written in: one run may go on in another', () => {
  const content = '{"think": "I look.", "tools": [{"name": "read_file", "arguments": {"path": "a.txt"}}]}'
  const reply = jsonCodec.decode({ content, finish: 'stop' }, asking())
  const { toolCalls, wire } = reply
  const message: Message = { role: 'assistant', content: reply.content, toolCalls, ...(wire && { wire }) }

  expect(markerCodec.encode(asking({ messages: [message] })).messages.at(-1)?.content).toBe(
    'I look.\n<tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}}</tool_call>',
  )
})

test('a label of a call cannot leave its tag, whatever the tool is called', () => {
  const tool = aTool('a"> <b')
  const messages: readonly Message[] = [
    { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: tool.name, arguments: '{}' }] },
    { role: 'tool', callId: 'a', content: '12' },
  ]
  const shown = jsonCodec.encode(asking({ tools: [tool], messages })).messages.at(-1)?.content

  expect(shown).toMatch(/^<observation-\w+ tool="a\\"\? \?b" call="1">\n12\n/)
})
