import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SimServer, serveSim } from '../src/index.js'
import { aHead, aQuoteTask } from './conversation.js'
import { post, textOf, toBody } from './serve-client.js'

const question = toBody('sim-mid', { purpose: 'act', messages: aHead(aQuoteTask(['Halden', 'Borm'])), tools: [] })

let server: SimServer

beforeAll(async () => {
  server = await serveSim({ limits: { bodyBytes: 50_000 } })
})

afterAll(() => server.close())

describe('a body', () => {
  test.each(['', '{', '{"model":"sim-mid"', 'null', '[]', '3', '"text"', '\u0000', `${'['.repeat(40_000)}`])(
    'that is no JSON object (%#) is refused',
    async (body) => {
      const response = await post(server.url, body)

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    },
  )

  test('that is no UTF-8 is refused', async () => {
    const response = await post(server.url, '', { body: Buffer.from('{"model":"caf\u00e9"}', 'latin1') })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_json' } })
  })

  test('that is nested without end is refused before it costs time', async () => {
    const large = await serveSim()
    const half = 9_000_000
    const startedMs = performance.now()
    const whole = await post(large.url, '['.repeat(half) + ']'.repeat(half))
    const broken = await post(large.url, '{"a":'.repeat(half / 3))
    const tookMs = performance.now() - startedMs
    await large.close()

    for (const response of [whole, broken]) {
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('64 levels') } })
    }
    expect(tookMs).toBeLessThan(3_000) // a parser takes several times as long
  })

  test('is as deep as its brackets outside of strings', async () => {
    const status = async (name: string, levels: number): Promise<number> =>
      (await post(server.url, { ...question, [name]: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) })).status

    expect([await status('a', 63), await status('a', 64)]).toEqual([200, 400])
    expect(await status('"[[{\\"', 63)).toBe(200)
    expect((await post(server.url, { ...question, user: '['.repeat(100) })).status).toBe(200)
    expect((await post(server.url, { ...question, user: '\\"'.repeat(3), x: '[{'.repeat(100) })).status).toBe(200)
  })

  test.each<readonly [string, object]>([
    ['model', { model: 3 }],
    ['model', { model: undefined }],
    ['messages', { messages: [] }],
    ['messages', { messages: undefined }],
    ['messages[0]', { messages: ['hello'] }],
    ['messages[0].role', { messages: [{ role: 'function', content: '' }] }],
    ['messages[0].role', { messages: [{ role: 'constructor', content: '' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: null }] }],
    ['messages[0].content[0].type', { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', content: '' }] }],
    ['messages[0].tool_calls[0].function', { messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] }],
    [
      'messages[0].tool_calls[0].id',
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'a', arguments: '' } }] }] },
    ],
    ['tools', { tools: {} }],
    ['tools[0].type', { tools: [{ type: 'custom', custom: {} }] }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
    ['tools[0].function.parameters', { tools: [{ type: 'function', function: { name: 'a', parameters: [] } }] }],
    ['tool_choice', { tool_choice: 'sometimes' }],
    ['tool_choice.function', { tool_choice: { type: 'function' } }],
    ['response_format.type', { response_format: { type: 'json_object' } }],
    ['response_format.json_schema.name', { response_format: { type: 'json_schema', json_schema: {} } }],
    ['max_tokens', { max_tokens: -1 }],
    ['max_completion_tokens', { max_completion_tokens: 1.5 }],
    ['stop', { stop: [1] }],
    ['n', { n: 2 }],
    ['seed', { seed: 0.5 }],
    ['stream', { stream: 'yes' }],
    ['stream_options', { stream_options: { include_usage: true } }],
    ['metadata.purpose', { metadata: { purpose: 1 } }],
  ])('with a wrong %s is refused by that name', async (param, change) => {
    const response = await post(server.url, { ...question, ...change })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param, message: expect.stringContaining(param) } })
  })

  test('with names of an object prototype changes nothing', async () => {
    const evil = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},${JSON.stringify({
      ...question,
      response_format: { type: 'json_schema', json_schema: { name: 'plan', schema: { type: 'object' } } },
    }).slice(1)}`.replace(
      '"type":"object"}',
      '"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    )

    expect((await post(server.url, evil)).status).toBe(200)
    expect({}).not.toHaveProperty('polluted')
  })

  test.each(['said', 'found'])('that is too large is refused, where its length is %s', async (how) => {
    const request = httpRequest(`${server.url}/chat/completions`, { method: 'POST', agent: false })
    if (how === 'said') request.setHeader('content-length', 10_000_000_000)
    request.on('error', () => undefined) // the server hangs up on what is still being sent
    const reading = once(request, 'response') as Promise<[IncomingMessage]>
    request.write(Buffer.alloc(how === 'said' ? 10 : 200_000, 32))
    const [response] = await reading
    const text = await textOf(response)
    request.destroy()

    expect(response.statusCode).toBe(413)
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'request_too_large' } })
  })

  test('at the limit is taken', async () => {
    const text = JSON.stringify(question)

    expect((await post(server.url, text.padEnd(50_000, ' '))).status).toBe(200)
    expect((await post(server.url, text.padEnd(50_001, ' '))).status).toBe(413)
  })
})
