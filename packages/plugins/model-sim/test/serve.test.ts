import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimModel, type SimProfile, type SimServer, serveSim } from '../src/index.js'
import { aHead, aQuoteTask, aReading, ask, ORDER, TOOLS } from './conversation.js'
import { gather, post, readChunks, readWhole, toBody, type WireReply } from './serve-client.js'

const head = aHead(aQuoteTask(['Halden', 'Borm']))
const messages = [...head, ...aReading('order.txt', ORDER)]
const question = toBody('sim-mid', { purpose: 'act', messages, tools: TOOLS, seed: 1 })

let server: SimServer

beforeAll(async () => {
  server = await serveSim()
})

afterAll(() => server.close())

describe('a reply', () => {
  test('has the fields of the interface, and says that it is simulated and what time it took', async () => {
    const inProcess = await ask(createSimModel({ profile: 'sim-mid' }), messages)
    const response = await post(server.url, question)

    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^chatcmpl-\d+$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'sim-mid',
      system_fingerprint: 'simulated-1',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: inProcess.content === '' ? null : inProcess.content,
            refusal: null,
            tool_calls: [{ id: expect.stringMatching(/^\w+$/), type: 'function', function: expect.any(Object) }],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: inProcess.usage?.inputTokens,
        completion_tokens: inProcess.usage?.outputTokens,
        total_tokens: (inProcess.usage?.inputTokens ?? 0) + (inProcess.usage?.outputTokens ?? 0),
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 60 },
      },
      harnesswright: {
        simulated: true,
        latency_ms: inProcess.latencyMs,
        metadata: { purpose: 'act', world: 'quotes' },
      },
    })
  })

  test('that is streamed comes in chunks: the role, pieces, the reason, and usage only where it was asked for', async () => {
    const response = await post(server.url, { ...question, stream: true })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const bare = await readChunks(response)
    const counted = await readChunks(
      await post(server.url, { ...question, stream: true, stream_options: { include_usage: true } }),
    )

    expect(bare[0]).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [{ delta: { role: 'assistant', content: '' }, finish_reason: null }],
    })
    expect(new Set(bare.map((chunk) => (chunk as { id?: string }).id)).size).toBe(1)
    expect(bare.filter((chunk) => 'usage' in chunk)).toEqual([])
    expect(bare.at(-1)).toMatchObject({
      choices: [{ delta: {}, finish_reason: 'tool_calls' }],
      harnesswright: { simulated: true, latency_ms: expect.any(Number) },
    })
    expect(counted.slice(0, -1).map((chunk) => chunk.usage)).toEqual(counted.slice(0, -1).map(() => null))
    expect(counted.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } })
    expect(counted.filter((chunk) => 'harnesswright' in chunk)).toEqual(counted.slice(-1))
  })

  test('is the same whole and streamed, with calls whose ids are the same at each time', async () => {
    const whole = await readWhole(await post(server.url, question))
    const streamed = gather(
      await readChunks(await post(server.url, { ...question, stream: true, stream_options: { include_usage: true } })),
    )

    expect(streamed).toEqual(whole)
    expect(whole.toolCalls[0]?.id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(JSON.parse(whole.toolCalls[0]?.arguments ?? '')).toHaveProperty('path')
  })
})

describe('what a request says', () => {
  const answer = async (change: object): Promise<WireReply> =>
    await readWhole(await post(server.url, { ...question, ...change }))

  test('the name of the schema chooses the form, over the purpose, over none', async () => {
    const schema = { type: 'object', properties: { goals: { type: 'array', items: { type: 'string' } } } }
    const format = { type: 'json_schema', json_schema: { name: 'plan', schema: { ...schema, title: 'other' } } }
    const purposeOf = async (change: object) => (await answer(change)).harnesswright.metadata

    expect(await purposeOf({ response_format: format, metadata: { purpose: 'summarise' } })).toMatchObject({
      purpose: 'plan',
    })
    expect(await purposeOf({ metadata: { purpose: 'summarise' } })).toMatchObject({ purpose: 'summarise' })
    expect(await purposeOf({ metadata: null, response_format: { type: 'text' } })).toMatchObject({ purpose: 'act' })
    expect(JSON.parse((await answer({ response_format: format })).content)).toHaveProperty('goals')
  })

  test('the cache key is the session: only its own earlier requests are cached', async () => {
    const long = aHead(`${aQuoteTask(['Halden', 'Borm'])}${' '.repeat(6_000)}`).map(({ role, content }) => ({
      role,
      content,
    }))
    const cached = async (key: string) =>
      (await answer({ messages: long, prompt_cache_key: key })).usage.prompt_tokens_details.cached_tokens

    expect([await cached('a'), await cached('b')]).toEqual([0, 0])
    expect(await cached('a')).toBeGreaterThan(1_024)
  })

  test('a literal repeat is answered anew, and a request that is sent again under its key is not', async () => {
    const chaos = { ...question, model: 'sim-chaos', prompt_cache_key: 'repeats' }
    const ids = async (init: (index: number) => RequestInit): Promise<Set<string | undefined>> => {
      const found = new Set<string | undefined>()
      for (let index = 0; index < 4; index++)
        found.add((await readWhole(await post(server.url, chaos, init(index)))).toolCalls[0]?.id)
      return found
    }

    expect((await ids(() => ({}))).size).toBe(4)
    expect((await ids(() => ({ headers: { 'idempotency-key': 'one' } }))).size).toBe(1)
    expect((await ids((index) => ({ headers: { 'idempotency-key': `key ${index}` } }))).size).toBe(4)
    const other = await post(server.url, { ...chaos, max_tokens: 62 }, { headers: { 'idempotency-key': 'one' } })
    expect((await readWhole(other)).usage.completion_tokens).toBe(62)
  })

  test('a limit of tokens ends the reply, by either name', async () => {
    for (const name of ['max_tokens', 'max_completion_tokens'])
      expect(await answer({ [name]: 62 })).toMatchObject({ finish: 'length', usage: { completion_tokens: 62 } })
  })

  test('a choice of no tool, and of one, is kept', async () => {
    const named = { type: 'function', function: { name: 'list_files' } }

    expect((await answer({ tool_choice: 'none' })).toolCalls).toEqual([])
    expect((await answer({ tool_choice: named })).toolCalls.filter(({ name }) => name === 'read_file')).toEqual([])
    expect((await answer({ tool_choice: 'auto' })).toolCalls).toHaveLength(1)
  })

  test('parts of text, a developer, and a call without text are taken as they are in process', async () => {
    const wire = (question as { messages: { role: string; content: string }[] }).messages
    const [system, user, ...others] = wire
    const parts = { ...user, content: [{ type: 'text', text: user?.content }] }
    const said = await answer({ messages: [{ ...system, role: 'developer' }, parts, ...others] })

    expect(wire[2]).toMatchObject({ role: 'assistant', content: null, tool_calls: [{ type: 'function' }] })
    expect(said).toEqual(await answer({}))
  })
})

describe('the list of models', () => {
  test('names the profiles that are served, and no other can be asked', async () => {
    const few = await serveSim({ profiles: ['sim-small', 'sim-mid'] })
    const list = (await (await fetch(`${few.url}/models`)).json()) as { data: { id: string; object: string }[] }
    const refused = await post(few.url, { ...question, model: 'sim-frontier' })
    await few.close()

    expect(list).toMatchObject({ object: 'list', data: [{ id: 'sim-small', object: 'model' }, { id: 'sim-mid' }] })
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'model_not_found',
        param: 'model',
        message: expect.stringMatching(/"sim-frontier".*sim-small, sim-mid/),
      },
    })
  })

  test('has every profile by default, and refuses to serve one that does not exist', async () => {
    const list = (await (await fetch(`${server.url}/models?limit=1`)).json()) as { data: unknown[] }

    expect(list.data).toHaveLength(4)
    await expect(serveSim({ profiles: ['sim-huge' as SimProfile] })).rejects.toMatchObject({
      code: 'E_SIM_UNKNOWN_PROFILE',
    })
  })
})

describe('an error of the model', () => {
  const refused = async (change: object): Promise<unknown> => {
    const response = await post(server.url, { ...question, ...change })
    return { status: response.status, ...((await response.json()) as object) }
  }

  test.each([false, true])(
    'for too long a request is that of a provider, and takes its time (stream: %s)',
    async (stream) => {
      const long = [...head, { role: 'user', content: 'x'.repeat(130_000) }]

      expect(await refused({ messages: long, stream })).toEqual({
        status: 400,
        error: {
          code: 'context_length_exceeded',
          type: 'invalid_request_error',
          param: 'messages',
          message: expect.stringMatching(/32000/),
        },
        harnesswright: { simulated: true, latency_ms: 150 },
      })
    },
  )

  test('for a request without a task, and for composing, says its code and how to mend it', async () => {
    const poem = [{ role: 'user', content: 'Write a poem.' }]

    expect(await refused({ messages: poem })).toMatchObject({
      status: 400,
      error: {
        code: 'E_SIM_NO_TASK',
        type: 'invalid_request_error',
        message: expect.stringMatching(/quotes, long-log/),
      },
    })
    expect(await refused({ metadata: { purpose: 'compose' } })).toMatchObject({
      status: 400,
      error: { code: 'E_SIM_NOT_A_COMPOSER' },
    })
  })
})

describe('the server', () => {
  test('tells a client how long it keeps a connection, so that none is used just as it is closed', async () => {
    expect((await fetch(`${server.url}/models`)).headers.get('keep-alive')).toBe('timeout=60')
  })

  test('ends every connection when it closes, and may be closed again', async () => {
    const other = await serveSim()
    await (await fetch(`${other.url}/models`)).text() // kept alive by the client
    await Promise.all([other.close(), other.close()])
    await other.close()

    await expect(fetch(`${other.url}/models`)).rejects.toThrow()
  })

  test('says where it cannot listen', async () => {
    const taken = serveSim({ port: server.port })
    await expect(taken).rejects.toMatchObject({
      code: 'E_SIM_SERVE',
      message: expect.stringContaining(`${server.port}`),
    })
    await expect(serveSim({ port: 70_000 })).rejects.toMatchObject({ code: 'E_SIM_SERVE' })
    await expect(serveSim({ host: '' })).rejects.toMatchObject({ code: 'E_SIM_SERVE' })
  })
})
