import type { Message, ModelRequest } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { createOpenAiModel, type OpenAiModelOptions } from '../src/index.js'
import { withEndpoint } from './support/endpoint.js'
import { type AnyBody, add, answerWith, ask, hello } from './support/wire.js'

const turn: readonly Message[] = [
  ...hello,
  {
    role: 'assistant',
    content: '',
    reasoning: 'I should add.',
    toolCalls: [{ id: 'c1_1', name: 'add', arguments: '{"a":1,"b":2}' }],
    id: 'm3',
    step: 1,
  },
  { role: 'tool', callId: 'c1_1', content: '3', id: 'm4', step: 1 },
]

async function bodyOf(
  options: Partial<OpenAiModelOptions>,
  request: Partial<ModelRequest>,
  stream = false,
): Promise<AnyBody> {
  let body: AnyBody
  await withEndpoint(
    () => answerWith({ content: '{}' }, { stream }),
    async ({ baseUrl, requests }) => {
      await ask(createOpenAiModel({ model: 'm', baseUrl, ...options }), request, { stream })
      body = requests[0]?.body
    },
  )
  return body
}

describe('a request', () => {
  test('holds what was asked, and nothing that belongs to the kernel', async () => {
    expect(
      await bodyOf({}, { messages: turn, tools: [add], maxTokens: 99, temperature: 0, seed: 7, stop: ['END'] }),
    ).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'You help.' },
        { role: 'user', content: 'Hello.' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'I should add.',
          tool_calls: [{ id: 'c1_1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } }],
        },
        { role: 'tool', tool_call_id: 'c1_1', content: '3' },
      ],
      tools: [
        { type: 'function', function: { name: 'add', description: add.description, parameters: add.parameters } },
      ],
      max_tokens: 99,
      temperature: 0,
      seed: 7,
      stop: ['END'],
    })
  })

  test('K30 has "" in place of a null content where null is refused', async () => {
    const { messages } = await bodyOf({ dialect: { emptyContent: 'text' } }, { messages: turn })
    expect(messages[2].content).toBe('')
  })

  test('shows pictures of the user, and sends the text of other messages', async () => {
    const picture = { type: 'image', url: 'data:image/png;base64,AAAA' } as const
    const { messages } = await bodyOf(
      {},
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'See' }, picture] }] },
    )
    expect(messages[0].content).toEqual([
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: picture.url } },
    ])
  })

  test.each([
    ['none', 'none'],
    ['required', 'required'],
    [{ tool: 'add' }, { type: 'function', function: { name: 'add' } }],
  ] as const)('has the choice of tools %j', async (choice, sent) => {
    expect((await bodyOf({}, { tools: [add], choice })).tool_choice).toEqual(sent)
  })

  test('to an endpoint that takes no choice has none, and no tools when none may be called', async () => {
    const dialect = { toolChoice: 'auto' } as const
    expect(await bodyOf({ dialect }, { tools: [add], choice: 'required' })).not.toHaveProperty('tool_choice')
    expect(await bodyOf({ dialect }, { tools: [add], choice: 'none' })).not.toHaveProperty('tools')
  })

  test('says whether calls may be parallel where the endpoint takes it, and only beside tools', async () => {
    const dialect = { parallelToolCalls: true }
    expect((await bodyOf({ dialect }, { tools: [add], parallelToolCalls: false })).parallel_tool_calls).toBe(false)
    expect(await bodyOf({ dialect }, { parallelToolCalls: true })).not.toHaveProperty('parallel_tool_calls')
    expect(await bodyOf({}, { tools: [add], parallelToolCalls: true })).not.toHaveProperty('parallel_tool_calls')
  })

  test('has the session as cache key and the purpose as metadata only where the preset says so', async () => {
    const request = { session: 'run/1.a', purpose: 'plan' }
    expect(await bodyOf({ preset: 'openai' }, request)).toMatchObject({ prompt_cache_key: 'run/1.a' })
    expect(await bodyOf({ preset: 'openai' }, request)).not.toHaveProperty('metadata')
    expect(await bodyOf({ preset: 'sim' }, request)).toMatchObject({ metadata: { purpose: 'plan' } })
    expect(JSON.stringify(await bodyOf({}, request))).not.toMatch(/run\/1\.a|plan/)
  })

  test('has further fields of the host, under its own', async () => {
    const body = await bodyOf({ body: { enable_thinking: false, model: 'other' } }, {})
    expect(body).toMatchObject({ enable_thinking: false, model: 'm' })
  })

  test('names the limit of a reply as the endpoint does', async () => {
    const body = await bodyOf({ preset: 'openai' }, { maxTokens: 5 })
    expect(body.max_completion_tokens).toBe(5)
    expect(body).not.toHaveProperty('max_tokens')
  })
})

describe('reasoning', () => {
  const twoTurns: readonly Message[] = [
    ...turn,
    { role: 'user', content: 'And now?', note: 'plan' },
    { role: 'assistant', content: 'Wait.', reasoning: 'Hm.' },
    {
      role: 'assistant',
      content: 'More.',
      reasoning: 'Again.',
      toolCalls: [{ id: 'c2_1', name: 'add', arguments: '{}' }],
    },
    { role: 'tool', callId: 'c2_1', content: '0' },
  ]
  const sent = async (options: Partial<OpenAiModelOptions>): Promise<unknown[]> => {
    const { messages } = await bodyOf(options, { messages: twoTurns })
    return messages
      .filter((message: AnyBody) => message.role === 'assistant')
      .map((message: AnyBody) => message.reasoning_content)
  }

  test('K15 is sent back with every message of the run that makes calls, in every request', async () => {
    expect(await sent({})).toEqual(['I should add.', undefined, 'Again.'])
  })

  test('K14 is sent back with every message where the endpoint wants it', async () => {
    expect(await sent({ preset: 'deepseek' })).toEqual(['I should add.', 'Hm.', 'Again.'])
    expect(await sent({ reasoning: 'echo' })).toEqual(['I should add.', 'Hm.', 'Again.'])
  })

  test('K14 that is not there is sent empty where a message with calls is refused without it', async () => {
    const { messages } = await bodyOf(
      { preset: 'deepseek' },
      { messages: turn.map(({ reasoning: _, ...message }) => message) },
    )
    expect(messages[2].reasoning_content).toBe('')
  })

  test('is not sent back when it is to be stripped, and not to an endpoint that does not take it', async () => {
    const none = [undefined, undefined, undefined]
    expect(await sent({ reasoning: 'strip', preset: 'deepseek' })).toEqual(none)
    expect(await sent({ preset: 'openai' })).toEqual(none)
  })

  test('is sent back in the field in which the endpoint sends it', async () => {
    await withEndpoint(
      () => answerWith({ content: 'x', reasoning: 'Hm.' }, { stream: false }),
      async ({ baseUrl, requests }) => {
        const model = createOpenAiModel({ model: 'm', baseUrl })
        await ask(model)
        await ask(model, { messages: turn })
        expect(requests[1]?.body.messages[2]).toMatchObject({ reasoning: 'I should add.' })
        expect(requests[1]?.body.messages[2]).not.toHaveProperty('reasoning_content')
      },
    )
  })
})

describe('names of tools', () => {
  const named = (name: string) => ({ ...add, name })

  test('that do not fit the wire are mapped there and back, in tools, history and choice', async () => {
    const name = 'mcp.server/résumé tool'
    await withEndpoint(
      ({ body }) =>
        answerWith(
          { tool_calls: [{ id: 'c', function: { name: body.tools[0].function.name, arguments: '{}' } }] },
          { stream: false },
        ),
      async ({ baseUrl, requests }) => {
        const messages: readonly Message[] = [
          ...hello,
          { role: 'assistant', content: '', toolCalls: [{ id: 'c0', name, arguments: '{}' }] },
          { role: 'tool', callId: 'c0', content: '3' },
        ]
        const { toolCalls } = await ask(createOpenAiModel({ model: 'm', baseUrl }), {
          messages,
          tools: [named(name)],
          choice: { tool: name },
        })
        expect(toolCalls?.[0]?.name).toBe(name)
        const { body } = requests[0] as (typeof requests)[0]
        const wire = body.tools[0].function.name
        expect(wire).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        expect(body.messages[2].tool_calls[0].function.name).toBe(wire)
        expect(body.tool_choice.function.name).toBe(wire)
      },
    )
  })

  test('K10 of no tool stay as the model wrote them', async () => {
    await withEndpoint(
      () =>
        answerWith(
          { content: null, tool_calls: [{ id: 'c', function: { name: 'search_files', arguments: '{}' } }] },
          { stream: false },
        ),
      async ({ baseUrl }) => {
        const { toolCalls } = await ask(createOpenAiModel({ model: 'm', baseUrl }), {
          tools: [named('mcp__x__search_files')],
        })
        expect(toolCalls?.[0]?.name).toBe('search_files')
      },
    )
  })
})

describe('a structured reply', () => {
  const schema = {
    title: 'plan of the day',
    type: 'object',
    properties: { goal: { type: 'string' }, note: { type: 'string' } },
    required: ['goal'],
  }

  test('K9 is asked for together with tools, strictly and by its title, where the endpoint takes that', async () => {
    const body = await bodyOf({ preset: 'openai' }, { schema, tools: [add] })
    expect(body.tools).toHaveLength(1)
    expect(body.response_format).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'plan_of_the_day',
        strict: true,
        schema: {
          title: 'plan of the day',
          type: 'object',
          properties: { goal: { type: 'string' }, note: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
          required: ['goal', 'note'],
          additionalProperties: false,
        },
      },
    })
  })

  test('loses the nulls that stand for what was left out', async () => {
    await withEndpoint(
      () => answerWith({ content: '{"goal":"rest","note":null}' }, { stream: false }),
      async ({ baseUrl }) => {
        const response = await ask(createOpenAiModel({ model: 'm', baseUrl, preset: 'openai' }), { schema })
        expect(JSON.parse(response.content)).toEqual({ goal: 'rest' })
      },
    )
  })

  test('is asked for as the schema is, where the endpoint is not strict', async () => {
    const { response_format: format } = await bodyOf({}, { schema })
    expect(format.json_schema).toEqual({ name: 'plan_of_the_day', strict: false, schema })
  })

  test('has its schema in the last message where the endpoint takes no schema, or none beside tools', async () => {
    const json = await bodyOf({ preset: 'deepseek' }, { schema })
    expect(json.response_format).toEqual({ type: 'json_object' })
    expect(json.messages.at(-1).content).toContain(JSON.stringify(schema))
    const beside = await bodyOf({ preset: 'ollama' }, { schema, tools: [add] })
    expect(beside).not.toHaveProperty('response_format')
    expect(beside.messages.at(-1).content).toContain(JSON.stringify(schema))
    expect((await bodyOf({ preset: 'ollama' }, { schema })).response_format.type).toBe('json_schema')
  })
})
