import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type FaultScript, inTurn, refuse, say } from './answer.js'
import { type FaultServer, type FaultServerOptions, startFaultServer } from './server.js'

const KEY = 'sk-1234567890'
const HELLO = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
const servers: FaultServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close().catch(() => {})
})

async function serve(script: FaultScript = say('hi'), options: FaultServerOptions = {}): Promise<FaultServer> {
  const server = await startFaultServer(script, options)
  servers.push(server)
  return server
}

function post(
  { baseUrl }: FaultServer,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** The status of a request with a header that fetch does not let go. */
function statusWithHost({ baseUrl }: FaultServer, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${baseUrl}/chat/completions`, { method: 'POST', headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(HELLO))
  })
}

describe('the scriptable server', () => {
  test('answers what the script says, whole or as a stream, as it is asked', async () => {
    const server = await serve(say('hi'))
    expect(await (await post(server, HELLO)).json()).toMatchObject({
      choices: [{ message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10 },
    })
    const stream = await post(server, { ...HELLO, stream: true })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect((await stream.text()).split('\n\n').at(-2)).toBe('data: [DONE]')
  })

  test('answers one request after another, and the last answer again and again', async () => {
    const server = await serve(inTurn(refuse(429, { message: 'slow', type: 'x' }, { 'retry-after': '2' }), say('hi')))
    const [first, second, third] = [await post(server, HELLO), await post(server, HELLO), await post(server, HELLO)]
    expect([first?.status, second?.status, third?.status]).toEqual([429, 200, 200])
    expect(first?.headers.get('retry-after')).toBe('2')
  })

  test('keeps every request, and no key', async () => {
    let now = 0
    const server = await serve(say('hi'), { now: () => ++now })
    await post(server, HELLO, { authorization: `Bearer ${KEY}`, 'x-api-key': KEY, 'x-other': 'kept' })
    await post(server, { ...HELLO, stream: true })
    const [first, second] = server.requests
    expect(first).toMatchObject({
      index: 0,
      at: 1,
      body: HELLO,
      text: JSON.stringify(HELLO),
      bytes: JSON.stringify(HELLO).length,
      isStream: false,
      headers: { authorization: '[hidden]', 'x-api-key': '[hidden]', 'x-other': 'kept' },
    })
    expect(second).toMatchObject({ index: 1, at: 2, isStream: true })
    expect(JSON.stringify(server.requests)).not.toContain(KEY)
  })

  test('asks for a key where it is given one', async () => {
    const server = await serve(say('hi'), { apiKey: KEY })
    expect((await post(server, HELLO)).status).toBe(401)
    expect((await post(server, HELLO, { authorization: `Bearer ${KEY}` })).status).toBe(200)
    expect(server.requests).toHaveLength(1)
  })

  test('takes requests of this computer alone, to one address, with a body that is one', async () => {
    const server = await serve()
    expect(await statusWithHost(server, 'evil.example')).toBe(403)
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(404)
    const refused = await post(server, 'hello')
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('no JSON object') } })
  })

  test('sends pieces apart, so that a character may be split', async () => {
    const server = await serve(say('🌍', { pieceBytes: 3 }))
    const { body } = await post(server, { ...HELLO, stream: true })
    const pieces: Uint8Array[] = []
    for await (const piece of body ?? []) pieces.push(piece)
    expect(pieces.length).toBeGreaterThan(10)
    expect(Buffer.concat(pieces).toString()).toContain('🌍')
  })

  test('cuts a line after what it has sent', async () => {
    const server = await serve(() => ({ pieces: ['half of '], end: 'cut' }))
    const { body } = await post(server, HELLO)
    const reader = body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('half of ')
    await expect(reader?.read()).rejects.toThrow()
    expect(server.openRequests).toBe(0)
  })

  test('is silent until the other side gives up, and sees that it does', async () => {
    const server = await serve(() => ({ end: 'silence' }))
    const abort = new AbortController()
    const asked = fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(HELLO),
      signal: abort.signal,
    })
    const request = await server.request(0)
    expect([request.isOpen, server.openRequests]).toEqual([true, 1])
    abort.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => server.openRequests).toBe(0)
    expect(request.isOpen).toBe(false)
  })

  test('answers 500 when its script throws, and says so at its end', async () => {
    const server = await serve(() => {
      throw new Error('a bug of the script')
    })
    const answer = await post(server, HELLO)
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toMatch(/\.ts:\d+/)
    await expect(server.close()).rejects.toThrow('a bug of the script')
  })
})
