import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SimServer, serveSim } from '../src/index.js'
import { aHead, aQuoteTask } from './conversation.js'
import { post, textOf, toBody } from './serve-client.js'

const question = toBody('sim-mid', { purpose: 'act', messages: aHead(aQuoteTask(['Halden', 'Borm'])), tools: [] })

let server: SimServer

beforeAll(async () => {
  server = await serveSim({ limits: { connections: 40, requestMs: 200, idleMs: 400 } })
})

afterAll(() => server.close())

describe('a web page', () => {
  test.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.0.7',
    '127.0.0.1@evil.example',
    '[::1',
  ])('under the name %j, which was made to point here, is refused', async (host) => {
    expect(await send({ headers: { host } })).toMatchObject({ status: 403, error: { code: 'host_not_allowed' } })
  })

  test('that names no host at all is refused', async () => {
    const socket = await open()
    socket.write('GET /v1/models HTTP/1.0\r\n\r\n')

    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 403 /)
  })

  test.each(['127.0.0.1', 'localhost', 'LOCALHOST:9', '[::1]:80'])('under the name %s is this server', async (host) => {
    expect(await send({ headers: { host } })).toMatchObject({ status: 200 })
  })

  test.each(['http://evil.example', 'http://localhost:3000', 'null', ''])(
    'of the origin %j is refused',
    async (origin) => {
      expect(await send({ headers: { origin } })).toMatchObject({ status: 403, error: { code: 'origin_not_allowed' } })
      expect(await send({ headers: { origin }, method: 'OPTIONS' })).toMatchObject({ status: 403 })
    },
  )

  test('gets no header that would let it read a reply', async () => {
    const { headers } = await fetch(`${server.url}/models`, { headers: { origin: new URL(server.url).origin } })

    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('a token', () => {
  test('is asked for on every path, and compared whole', async () => {
    const guarded = await serveSim({ token: 'correct horse' })
    const status = async (authorization?: string): Promise<number> => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      return (await fetch(`${guarded.url}/models`, { headers })).status
    }
    const right = [await status('Bearer correct horse'), await status('bearer correct horse')]
    const wrong = [
      undefined,
      'Bearer ',
      'Bearer correct',
      'Bearer correct horses',
      'Basic correct horse',
      'correct horse',
    ]
    const refused = await Promise.all(wrong.map(status))
    const unknown = await post(guarded.url, question)
    const { error } = (await unknown.json()) as { error: object }
    await guarded.close()

    expect(right).toEqual([200, 200])
    expect(refused).toEqual(wrong.map(() => 401))
    expect([unknown.status, error]).toMatchObject([401, { code: 'invalid_api_key' }])
    expect(JSON.stringify(error)).not.toContain('horse')
  })

  test('must be there where others can reach the server, and is never empty', async () => {
    await expect(serveSim({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'E_SIM_SERVE' })
    await expect(serveSim({ host: '::' })).rejects.toMatchObject({ code: 'E_SIM_SERVE' })
    await expect(serveSim({ token: '' })).rejects.toMatchObject({ code: 'E_SIM_SERVE' })
  })

  test('opens a server that listens everywhere, under its addresses and no made-up name', async () => {
    const open = await serveSim({ host: '0.0.0.0', token: 't' })
    const status = async (host: string): Promise<number> =>
      (await send({ port: open.port, headers: { host, authorization: 'Bearer t' } })).status
    const found = [await status('192.168.0.7:80'), await status('localhost'), await status('evil.example')]
    await open.close()

    expect(found).toEqual([200, 200, 403])
  })
})

describe('a path or method that does not exist', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/v1/chat/completions'],
    ['POST', '/v1/models'],
    ['PUT', '/v1/chat/completions'],
    ['DELETE', '/v1/models'],
    ['HEAD', '/v1/models'],
    ['GET', '/v1/models/'],
    ['GET', '/v1/../v1/models'],
    ['GET', '/v1/models/../../../../etc/passwd'],
    ['GET', '/v1/%2e%2e/%2e%2e/etc/passwd'],
    ['GET', 'http://evil.example/v1/models'],
    ['GET', '//evil.example/v1/models'],
  ])('%s %s is not found', async (method, path) => {
    const { status, error } = await send({ method, path })

    expect(status).toBe(404)
    if (method !== 'HEAD')
      expect(error).toMatchObject({ code: 'not_found', type: 'invalid_request_error', param: null })
  })
})

describe('a connection', () => {
  test.each([
    ['sends nothing', ''],
    ['never ends its headers', 'GET /v1/models HTTP/1.1\r\nhost: localhost\r\nx-slow: '],
    ['never ends its body', 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{'],
  ])('that %s is closed when its time is up, however it drips', async (_what, start) => {
    const socket = await open()
    const drip = setInterval(() => socket.write(start === '' ? '' : 'a'), 20)
    socket.write(start)
    const said = await textOf(socket)
    clearInterval(drip)

    expect(said).toMatch(/^(HTTP\/1\.1 408 |$)/)
  })

  test('that stays idle after a reply is closed', async () => {
    const socket = await open()
    socket.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n')

    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('on which replies are asked for and never read is closed', async () => {
    const socket = await open()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.pause()
    const ask = (times: number): boolean =>
      socket.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(times))
    ask(30_000)
    const drip = setInterval(() => ask(1), 50) // who does not read is told by a failing write only
    await closed
    clearInterval(drip)
  })

  test('with too large headers, or that does not speak HTTP, is told so without a word more', async () => {
    const [large, other] = [await open(), await open()]
    large.write(`GET /v1/models HTTP/1.1\r\nhost: localhost\r\nx-large: ${'a'.repeat(20_000)}\r\n\r\n`)
    other.write('\u0016\u0003\u0001 not HTTP\r\n\r\n')

    expect(await textOf(large)).toMatch(/^HTTP\/1\.1 431 [^\n]*\r\nConnection: close\r\n\r\n$/)
    expect(await textOf(other)).toMatch(/^HTTP\/1\.1 400 [^\n]*\r\nConnection: close\r\n\r\n$/)
  })

  test('of 200 at once is closed above the limit, and the server answers on', async () => {
    const sockets = Array.from({ length: 200 }, () => connect(server.port, '127.0.0.1'))
    const outcomes = await Promise.all(sockets.map(askOnce))
    const closedAtOnce = outcomes.filter((outcome) => outcome === 'closed').length
    for (const socket of sockets) socket.destroy()

    expect(closedAtOnce).toBeGreaterThanOrEqual(160)
    expect(closedAtOnce).toBeLessThan(200)
    await expect.poll(() => send({}).catch(() => undefined), { timeout: 2_000 }).toMatchObject({ status: 200 })
  })

  test('that its client ends in the middle of a request or of a stream leaves nothing behind', async () => {
    for (let round = 0; round < 100; round++) {
      const socket = await open()
      const body = JSON.stringify({ ...question, stream: true })
      const part = round % 2 === 0 ? body.slice(0, 50) : body
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${part}`,
      )
      if (round % 4 === 3) await once(socket, 'data')
      socket.resetAndDestroy()
    }

    await expect.poll(() => send({}).catch(() => undefined), { timeout: 2_000 }).toMatchObject({ status: 200 })
  })
})

describe('closing', () => {
  test('ends connections that are in the middle of a request', async () => {
    const other = await serveSim()
    const sockets = [await open(other.port), await open(other.port)]
    sockets[0]?.write('POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{')
    const ended = Promise.all(sockets.map(textOf))
    await other.close()

    expect(await ended).toEqual(['', ''])
  })
})

interface Sent {
  readonly port?: number
  readonly method?: string
  readonly path?: string
  readonly headers?: OutgoingHttpHeaders
}

/** Sends a request as it is, without what fetch would mend. */
async function send({
  port = server.port,
  method = 'GET',
  path = '/v1/models',
  headers = {},
}: Sent): Promise<{ status: number; error?: object }> {
  const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false })
  const reading = once(request, 'response') as Promise<[IncomingMessage]>
  request.end()
  const [response] = await reading
  const text = await textOf(response)
  expect(text).not.toMatch(/\bat .*(:\d+|node:)/) // no stack
  return { status: response.statusCode ?? 0, ...(text === '' ? {} : (JSON.parse(text) as object)) }
}

async function open(port: number = server.port): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined) // a connection may be reset
  return socket
}

/** Asks on a connection that is being made: whether it is answered, or closed. */
function askOnce(socket: Socket): Promise<'answered' | 'closed'> {
  socket.on('error', () => undefined) // a connection that is dropped may be reset
  socket.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n')
  return new Promise((resolve) => {
    socket.once('data', () => resolve('answered'))
    socket.once('close', () => resolve('closed'))
  })
}
