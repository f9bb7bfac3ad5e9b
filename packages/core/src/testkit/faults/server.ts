import { messageOf } from '@harnesswright/protocol'
import { type FaultAnswer, type FaultScript, json } from './answer.js'
import { type ChatBody, readChatBody } from './wire.js'

/** A request as the server got it. */
export interface FaultRequest {
  /** Place among all requests, from 0. */
  readonly index: number
  /** When all of it had arrived, in ms on the server's clock. */
  readonly at: number
  /** Path of the address, with `/v1` before it. */
  readonly path: string
  /** By name in lower case. The value of a header that may hold a key is `[hidden]`. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly text: string
  /** Length of the body. */
  readonly bytes: number
  readonly body: ChatBody
  /** Whether the body asks for a stream. */
  readonly isStream: boolean
  /** True until its answer has ended or its line was closed. */
  readonly isOpen: boolean
}

/** A server that does what a script says. */
export interface FaultServer {
  /** Address up to and without `/chat/completions`. */
  readonly baseUrl: string
  /** Every chat request so far, in order. */
  readonly requests: readonly FaultRequest[]
  /** Requests that are neither answered nor given up. */
  readonly openRequests: number
  /** Resolves with the request of that index, once it is there. */
  request(index: number): Promise<FaultRequest>
  /**
   * Cuts every line, and ends.
   *
   * @throws what the script threw, where it did.
   */
  close(): Promise<void>
}

/** How a server is started. */
export interface FaultServerOptions {
  /** Time at which a request is stamped, in ms. Default: `performance.now`. */
  readonly now?: () => number
  /** The key that requests must bear; others are answered with 401. Default: none is asked for. */
  readonly apiKey?: string
}

/** Largest body that is read. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_CONNECTIONS = 256
const HIDDEN = /^(authorization|proxy-authorization|cookie|api-key|x-api-key)$/

/** The response of node:http, as far as it is used. */
interface Outgoing {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown
  flushHeaders(): void
  write(piece: string | Uint8Array, done: (error?: Error | null) => void): unknown
  end(): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
}

/**
 * Starts an endpoint of the Chat Completions interface on a free port of the loopback address. A script says what each
 * request gets, down to the bytes: whole replies and streams, refusals, lines that are cut, silence.
 *
 * It takes requests of this computer alone, keeps every one, and never keeps a key.
 *
 * @example
 * ```ts
 * const server = await startFaultServer(inTurn(refuse(500, { message: 'oops', type: 'server_error' }), say('done')))
 * // … point a client at server.baseUrl …
 * await server.close()
 * ```
 */
export async function startFaultServer(script: FaultScript, options: FaultServerOptions = {}): Promise<FaultServer> {
  // Loaded here, so that the rest of the testkit also works where there is no Node.js.
  const http = process.getBuiltinModule('node:http')
  const { now = () => performance.now(), apiKey } = options
  const log = new RequestLog()
  let failure: { readonly thrown: unknown } | undefined
  const answerOf = (request: FaultRequest): FaultAnswer => {
    try {
      return script(request, log.requests.slice(0, request.index))
    } catch (thrown) {
      failure ??= { thrown }
      return error(500, `The script of the server failed: ${messageOf(thrown)}`)
    }
  }
  const server = http.createServer(async (incoming, outgoing) => {
    const given = incoming.headers
    const text = await readText(incoming)
    const refused = refusalOf({
      host: given.host ?? '',
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      isKeyRight: apiKey === undefined || given.authorization === `Bearer ${apiKey}`,
      text,
    })
    if (refused !== undefined || text === undefined) return void send(refused ?? {}, outgoing)
    const body = readChatBody(text)
    const request = log.add({
      at: now(),
      path: incoming.url ?? '',
      headers: hideKeys(given),
      text,
      bytes: Buffer.byteLength(text),
      body: body ?? { messages: [] },
      isStream: body?.stream === true,
    })
    outgoing.on('close', request.end)
    const answer =
      body === undefined ? error(400, 'The body is no JSON object with messages.') : answerOf(request.shown)
    await send(answer, outgoing)
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: log.requests,
    get openRequests() {
      return log.requests.filter((request) => request.isOpen).length
    },
    request: (index) => log.wait(index),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      if (failure !== undefined) throw failure.thrown
    },
  }
}

/** The requests of a server, and who waits for one. */
class RequestLog {
  readonly requests: FaultRequest[] = []
  readonly #waiting: { readonly index: number; found(request: FaultRequest): void }[] = []

  add(fields: Omit<FaultRequest, 'index' | 'isOpen'>): { readonly shown: FaultRequest; readonly end: () => void } {
    let isOpen = true
    const shown: FaultRequest = {
      ...fields,
      index: this.requests.length,
      get isOpen() {
        return isOpen
      },
    }
    this.requests.push(shown)
    for (const { index, found } of this.#waiting) if (index === shown.index) found(shown)
    return {
      shown,
      end: () => {
        isOpen = false
      },
    }
  }

  wait(index: number): Promise<FaultRequest> {
    const there = this.requests[index]
    if (there !== undefined) return Promise.resolve(there)
    return new Promise((found) => this.#waiting.push({ index, found }))
  }
}

/** The text of a body, or undefined where it is too long or its line broke. */
async function readText(incoming: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of incoming) {
      bytes += piece.length
      if (bytes <= MAX_BYTES) pieces.push(piece)
    }
  } catch {
    return undefined
  }
  return bytes > MAX_BYTES ? undefined : Buffer.concat(pieces).toString('utf8')
}

interface Asked {
  readonly host: string
  readonly method: string
  readonly path: string
  readonly isKeyRight: boolean
  readonly text: string | undefined
}

/** What a request is refused with that no script sees. */
function refusalOf({ host, method, path, isKeyRight, text }: Asked): FaultAnswer | undefined {
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return error(403, 'Only requests of this computer are taken.')
  if (method !== 'POST' || path !== '/v1/chat/completions')
    return error(404, 'There is POST /v1/chat/completions alone.')
  if (!isKeyRight) return error(401, 'The key is missing or wrong.')
  return text === undefined ? error(413, `A body has at most ${MAX_BYTES} bytes.`) : undefined
}

function error(status: number, message: string): FaultAnswer {
  return json({ error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error' } }, status)
}

function hideKeys(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, HIDDEN.test(name) ? '[hidden]' : String(value)]),
  )
}

/** Sends an answer. A line that the other side has closed takes no more. */
async function send(answer: FaultAnswer, outgoing: Outgoing): Promise<void> {
  const { status = 200, headers = {}, pieces, end = 'end' } = answer
  if (pieces === undefined && end === 'silence') return
  outgoing.writeHead(status, headers)
  outgoing.flushHeaders()
  for (const piece of pieces ?? []) {
    const isSent = await new Promise<boolean>((resolve) => outgoing.write(piece, (failed) => resolve(!failed)))
    if (!isSent) return
    await new Promise((resolve) => setImmediate(resolve)) // so that pieces arrive apart
  }
  if (end === 'end') outgoing.end()
  if (end === 'cut') outgoing.destroy()
}
