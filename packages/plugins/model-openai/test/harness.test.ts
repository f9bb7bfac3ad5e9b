import { createEnvironment, type HarnessEvent, type Task, type Tool } from '@harnesswright/core'
import { assembleModules } from '@harnesswright/core/testkit'
import { describe, expect, test } from 'vitest'
import { createOpenAiModel, type OpenAiModelOptions } from '../src/index.js'
import { type Endpoint, type Script, withEndpoint } from './support/endpoint.js'
import { until } from './support/manual-clock.js'
import { type AnyBody, add, answerWith, chunk, type WireMessage, wireCall } from './support/wire.js'

/** One call in each of the dialects of text. */
const DIALECTS = {
  JSON: '<tool_call>{"name":"add","arguments":{"a":1,"b":2}}</tool_call>',
  'function and parameter tags':
    '<tool_call><function=add><parameter=a>1</parameter><parameter=b>2</parameter></function></tool_call>',
  'arg_key and arg_value tags':
    '<tool_call>add<arg_key>a</arg_key><arg_value>1</arg_value><arg_key>b</arg_key><arg_value>2</arg_value></tool_call>',
}

const sum: Task = { instruction: 'Add 1 and 2.' }
const modes = [{ stream: false }, { stream: true }]

/** A run of the smallest harness against an endpoint. Events are read in streaming mode alone: then the kernel streams. */
async function runAgainst(
  script: Script,
  options: {
    stream: boolean
    tools?: readonly Tool[]
    model?: Partial<OpenAiModelOptions>
  },
) {
  const events: HarnessEvent[] = []
  let outcome: { result: AnyBody; bodies: AnyBody[]; endpoint: Endpoint } | undefined
  await withEndpoint(script, async (endpoint) => {
    const model = createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl, ...options.model })
    const env = createEnvironment({ model, tools: options.tools ?? [add], strict: true })
    const run = (await assembleModules({}, env)).run(sum)
    if (options.stream) for await (const event of run) events.push(event)
    const result = await run.result
    outcome = { result, bodies: endpoint.requests.map(({ body }) => body), endpoint }
  })
  return { ...(outcome as NonNullable<typeof outcome>), events }
}

/** Says these messages, one a request, streaming or not as it is asked. */
const says =
  (...messages: readonly WireMessage[]): Script =>
  ({ body, index }) =>
    answerWith(messages[Math.min(index, messages.length - 1)] as WireMessage, { stream: body.stream === true })

describe.each(modes)('a harness on a real line, stream: $stream', ({ stream }) => {
  test('calls its tool and answers: the next request pairs the call with its result', async () => {
    const script = says(
      { content: null, tool_calls: [wireCall('c1', 'add', '{"a":1,"b":2}')] },
      { content: 'It is 3.' },
    )
    const { result, bodies } = await runAgainst(script, { stream })
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'It is 3.',
      spent: { tokens: 30, modelCalls: 2, partial: false },
    })
    expect(bodies.map((body) => body.stream === true)).toEqual([stream, stream])
    expect(bodies[1].messages.slice(-2)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '3' },
    ])
    expect(bodies[1].messages.slice(0, bodies[0].messages.length)).toEqual(bodies[0].messages)
    expect(bodies[1].tools).toEqual(bodies[0].tools)
    expect(JSON.stringify(bodies)).not.toMatch(/"(step|purpose|session|note)"/)
  })

  test('K15 sends reasoning back in every request of an open tool turn', async () => {
    const call = (id: string, a: number) => [wireCall(id, 'add', `{"a":${a},"b":2}`)]
    const script = says(
      { content: null, reasoning_content: 'First.', tool_calls: call('c1', 1) },
      { content: null, reasoning_content: 'Second.', tool_calls: call('c2', 2) },
      { content: 'Done.' },
    )
    const { bodies } = await runAgainst(script, { stream })
    const made = (id: string, reasoning: string, a: number) => ({
      role: 'assistant',
      content: null,
      reasoning_content: reasoning,
      tool_calls: call(id, a),
    })
    expect(bodies[2].messages).toEqual([
      ...bodies[0].messages,
      made('c1', 'First.', 1),
      { role: 'tool', tool_call_id: 'c1', content: '3' },
      made('c2', 'Second.', 2),
      { role: 'tool', tool_call_id: 'c2', content: '4' },
    ])
    expect(bodies[1].messages).toEqual(bodies[2].messages.slice(0, -2))
  })

  test('K14 is not refused by an endpoint that wants reasoning back with calls, also where there was none', async () => {
    const replies = says(
      { content: null, reasoning_content: 'Hm.', tool_calls: [wireCall('c1', 'add', '{"a":1,"b":2}')] },
      { content: null, tool_calls: [wireCall('c2', 'add', '{"a":3,"b":4}')] },
      { content: 'Done.' },
    )
    const script: Script = (received) => {
      const isWithout = (message: AnyBody): boolean =>
        message.tool_calls !== undefined && typeof message.reasoning_content !== 'string'
      if (!received.body.messages.some(isWithout)) return replies(received)
      return { status: 400, json: { error: { message: 'Missing reasoning_content field' } } }
    }
    const { result } = await runAgainst(script, { stream, model: { preset: 'deepseek' } })
    expect(result).toMatchObject({ status: 'answered', answer: 'Done.' })
    expect((await runAgainst(script, { stream, model: { preset: 'openai' } })).result.error.code).toBe(
      'E_MODEL_BAD_REQUEST',
    )
  })

  test('K30 is not refused by an endpoint that takes no null as content, with the field of the preset that says so', async () => {
    const replies = says({ content: null, tool_calls: [wireCall('c1', 'add', '{"a":1,"b":2}')] }, { content: 'Done.' })
    const script: Script = (received) =>
      received.body.messages.every((message: AnyBody) => typeof message.content === 'string')
        ? replies(received)
        : { status: 400, json: { error: { message: 'content must be a string' } } }
    const { result } = await runAgainst(script, { stream, model: { dialect: { emptyContent: 'text' } } })
    expect(result).toMatchObject({ status: 'answered', answer: 'Done.' })
    expect((await runAgainst(script, { stream })).result.error.code).toBe('E_MODEL_BAD_REQUEST')
  })

  test('K16 ends a run whose last turn is only reasoning with that reasoning and an empty answer', async () => {
    const script = says(
      { content: null, tool_calls: [wireCall('c1', 'add', '{"a":1,"b":2}')] },
      { content: '', reasoning: 'The answer is 3.' },
    )
    const { result } = await runAgainst(script, { stream })
    expect(result).toMatchObject({ status: 'answered', answer: '' })
    expect(result.messages.at(-1)).toMatchObject({ role: 'assistant', content: '', reasoning: 'The answer is 3.' })
    expect(result.warnings).toEqual([expect.stringMatching(/reasoned and said nothing/)])
  })

  test('K23 K24 K25 gives calls without ids, with one id, and with unsafe ids distinct safe ids', async () => {
    const args = (a: number): string => `{"a":${a},"b":0}`
    const calls = [
      wireCall(undefined, 'add', args(1)),
      wireCall('call_x|fc_1', 'add', args(2)),
      wireCall('call_x|fc_2', 'add', args(3)),
      wireCall('same', 'add', args(4)),
      wireCall('same', 'add', args(5)),
    ]
    const script = says({ tool_calls: calls }, { tool_calls: [wireCall('c', 'add', args(6))] }, { content: 'Done.' })
    const { bodies, result } = await runAgainst(script, { stream })
    const [made, ...results] = bodies[1].messages.slice(-6)
    expect(bodies[2].messages.slice(0, -2)).toEqual(bodies[1].messages) // the ids stay what they are over the run
    const ids = made.tool_calls.map((call: AnyBody) => call.id)
    expect(new Set(ids).size).toBe(5)
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(results.map((message: AnyBody) => [message.tool_call_id, message.content])).toEqual(
      ids.map((id: string, index: number) => [id, String(index + 1)]),
    )
    expect(result.status).toBe('answered')
  })

  test('K1 tells the model of arguments that are cut, and goes on', async () => {
    const script = says({ tool_calls: [wireCall('c1', 'add', '{"a":1,"b":')] }, { content: 'Done.' })
    const { bodies, result } = await runAgainst(script, { stream })
    expect(bodies[1].messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'c1',
      content: expect.stringMatching(/^error/),
    })
    expect(bodies[1].messages.at(-2).tool_calls[0].function.arguments).toBe('{}')
    expect(result.answer).toBe('Done.')
  })

  test.each(Object.entries(DIALECTS))(
    'K12 K13 executes a call that is written as text (%s) once, and sends it back as a native one',
    async (_, marker) => {
      let executed = 0
      const tool: Tool = { ...add, execute: () => String(++executed) }
      const { bodies, result } = await runAgainst(says({ content: marker }, { content: 'Done.' }), {
        stream,
        tools: [tool],
      })
      expect(executed).toBe(1)
      expect(bodies[1].messages.at(-2).tool_calls[0].function).toEqual({ name: 'add', arguments: '{"a":1,"b":2}' })
      expect(result.answer).toBe('Done.')
    },
  )

  test('K28 ends after two requests when the endpoint speaks of calls and makes none', async () => {
    const script: Script = ({ body }) =>
      answerWith({ content: '' }, { stream: body.stream === true, finish: 'tool_calls' })
    const { bodies, result } = await runAgainst(script, { stream })
    expect(bodies).toHaveLength(2)
    expect(result).toMatchObject({ status: 'failed', reason: 'empty_reply' })
  })

  test('K56 has totals that are partial when the endpoint counts nothing', async () => {
    const script: Script = ({ body }) => answerWith({ content: 'Hi.' }, { stream: body.stream === true, usage: null })
    const { result } = await runAgainst(script, { stream })
    expect(result.spent).toMatchObject({ partial: true, usd: null, usage: { inputTokens: null, source: 'unknown' } })
  })

  test.each([
    // 20,000 fresh at 0.28, 80,000 cached at 0.028 and 2,000 out at 0.42 USD a million
    [
      'where most do',
      { prompt_tokens: 100_000, completion_tokens: 2_000, prompt_tokens_details: { cached_tokens: 80_000 } },
      0.00868,
    ],
    [
      'where DeepSeek does',
      { prompt_tokens: 100_000, completion_tokens: 2_000, prompt_cache_hit_tokens: 80_000 },
      0.00868,
    ],
    ['nowhere', { prompt_tokens: 100_000, completion_tokens: 2_000 }, 0.02884],
  ])(
    'K59 costs to the cent what its tokens do, the cached ones at their own price, where the endpoint counts those %s',
    async (_, usage, usd) => {
      const price = { input: 0.28, cached: 0.028, output: 0.42, source: 'a test', date: '2026-01-01' }
      const script: Script = ({ body }) => answerWith({ content: 'Hi.' }, { stream: body.stream === true, usage })
      const { result } = await runAgainst(script, { stream, model: { price } })
      expect(result.spent.usd).toBeCloseTo(usd, 12)
    },
  )

  test('ends with the class of the failure, and without the key', async () => {
    const apiKey = 'sk-secret-secret-secret'
    const script: Script = () => ({ status: 401, json: { error: { message: `Bad key: ${apiKey}` } } })
    const { result, bodies, events } = await runAgainst(script, { stream, model: { apiKey } })
    expect(result).toMatchObject({ status: 'failed', error: { code: 'E_MODEL_AUTH' } })
    expect(bodies).toHaveLength(1)
    expect(JSON.stringify([result, events])).not.toContain(apiKey)
  })

  test('sends names that do not fit the wire there and back', async () => {
    const name = 'math/add numbers'
    const script: Script = ({ body, index }) => {
      const message =
        index === 0
          ? { tool_calls: [wireCall('c1', body.tools[0].function.name, '{"a":1,"b":2}')] }
          : { content: body.messages.at(-1).content }
      return answerWith(message, { stream: body.stream === true })
    }
    const { result } = await runAgainst(script, { stream, tools: [{ ...add, name }] })
    expect(result.answer).toBe('3')
    expect(result.steps[0].observations[0].tool).toBe(name)
  })
})

/** Pieces of calls: index and id, then the text of the name and of the arguments. */
const piece = (hint: { index?: number; id?: string }, name: string | undefined, text: string): object =>
  chunk({ tool_calls: [{ ...hint, function: { ...(name === undefined ? {} : { name }), arguments: text } }] })

const A = '{"a":1,"b":2}'
const B = '{"a":3,"b":4}'

test.each<[string, readonly object[], readonly string[]]>([
  [
    'K17 whose calls all have index 0',
    [piece({ index: 0, id: 'x' }, 'add', A), piece({ index: 0, id: 'y' }, 'add', B)],
    ['3', '7'],
  ],
  [
    'K18 whose second call begins under index 0 and ends under index 1',
    [
      piece({ index: 0, id: 'x' }, 'add', A),
      piece({ index: 0, id: 'y' }, 'add', '{"a":3,'),
      piece({ index: 1 }, undefined, '"b":4}'),
    ],
    ['3', '7'],
  ],
  [
    'K19 whose pieces have no index',
    [piece({ id: 'x' }, 'add', ''), piece({}, undefined, '{"a":1,'), piece({}, undefined, '"b":2}')],
    ['3'],
  ],
  [
    'K20 whose name comes first and whose arguments come later, both at index 0 without an id',
    [piece({ index: 0 }, 'add', ''), piece({ index: 0 }, undefined, A)],
    ['3'],
  ],
])('a stream %s has each call executed once, with all of its arguments', async (_, pieces, results) => {
  const script: Script = ({ index }) =>
    index === 0
      ? { events: [...pieces, chunk({}, 'tool_calls'), '[DONE]'] }
      : answerWith({ content: 'Done.' }, { stream: true })
  const { bodies, result } = await runAgainst(script, { stream: true })
  const said = bodies[1].messages.filter((message: AnyBody) => message.role === 'tool')
  expect(said.map((message: AnyBody) => message.content)).toEqual(results)
  expect(result.answer).toBe('Done.')
})

test('K21 arguments that are two objects glued together are an error of the turn that made them, and run nothing', async () => {
  const script: Script = ({ index }) =>
    index === 0
      ? { events: [piece({ index: 0, id: 'x' }, 'add', A + B), chunk({}, 'tool_calls'), '[DONE]'] }
      : answerWith({ content: 'Done.' }, { stream: true })
  const { bodies, result } = await runAgainst(script, { stream: true })
  expect(bodies[1].messages.at(-1)).toMatchObject({
    tool_call_id: 'x',
    content: expect.stringContaining('not the text of a JSON object'),
  })
  expect(result.steps[0].observations).toMatchObject([{ callId: 'x', ok: false, error: { code: 'E_TOOL_ARGUMENTS' } }])
  expect(result.answer).toBe('Done.')
})

test('K37 an aborted run closes the line of its request within 200 ms', async () => {
  await withEndpoint(
    () => ({ end: 'silence' }),
    async (endpoint) => {
      const model = createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl })
      const run = (await assembleModules({}, createEnvironment({ model, tools: [add] }))).run(sum)
      await until(() => endpoint.openRequests === 1)
      const startMs = performance.now()
      run.abort('enough')
      expect(await run.result).toMatchObject({ status: 'aborted' })
      expect(performance.now() - startMs).toBeLessThan(200)
      await until(() => endpoint.openRequests === 0)
    },
  )
})

test('the pieces of a stream are events of the run', async () => {
  const { events } = await runAgainst(says({ reasoning: 'Hm.', content: 'Hi.' }), { stream: true })
  expect(events.filter((event) => event.type === 'model-delta')).toMatchObject([{ reasoning: 'Hm.' }, { text: 'Hi.' }])
})
