import { createEnvironment, type HarnessEvent, type Task, type Tool } from '@harnesswright/core'
import { assembleModules } from '@harnesswright/core/testkit'
import { describe, expect, test } from 'vitest'
import { createOpenAiModel, type OpenAiModelOptions } from '../src/index.js'
import { type Endpoint, type Script, withEndpoint } from './support/endpoint.js'
import { until } from './support/manual-clock.js'
import { type AnyBody, add, answerWith, type WireMessage, wireCall } from './support/wire.js'

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
    const thought = (body: AnyBody): string[] =>
      body.messages.flatMap((message: AnyBody) => (message.role === 'assistant' ? [message.reasoning_content] : []))
    expect(bodies.map(thought)).toEqual([[], ['First.'], ['First.', 'Second.']])
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
    const { bodies, result } = await runAgainst(says({ tool_calls: calls }, { content: 'Done.' }), { stream })
    const [made, ...results] = bodies[1].messages.slice(-6)
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

  test('K12 executes a call that is written as text once, and sends it back as a native one', async () => {
    let executed = 0
    const tool: Tool = { ...add, execute: () => String(++executed) }
    const marker = '<tool_call>{"name":"add","arguments":{"a":1,"b":2}}</tool_call>'
    const { bodies, result } = await runAgainst(says({ content: marker }, { content: 'Done.' }), {
      stream,
      tools: [tool],
    })
    expect(executed).toBe(1)
    expect(bodies[1].messages.at(-2).tool_calls[0].function).toEqual({ name: 'add', arguments: '{"a":1,"b":2}' })
    expect(result.answer).toBe('Done.')
  })

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

  test('K59 prices cached tokens once', async () => {
    const price = { input: 2, cached: 0.5, output: 10, source: 'a test', date: '2026-01-01' }
    const { result } = await runAgainst(says({ content: 'Hi.' }), { stream, model: { price } })
    expect(result.spent.usd).toBeCloseTo((6 * 2 + 4 * 0.5 + 5 * 10) / 1e6, 12)
  })

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
