import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request as the endpoint got it. */
export interface Received {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly headers: IncomingHttpHeaders
  readonly path: string
  readonly index: number
  /** True while the other side has the line open. */
  isOpen: boolean
}

/** What the endpoint does with a request. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A body in one piece. */
  readonly json?: unknown
  readonly text?: string
  /** Events of a stream: objects as JSON, texts as they are. */
  readonly events?: readonly unknown[]
  /** Bytes of a stream, in these pieces. */
  readonly pieces?: readonly Uint8Array[]
  /** Time between two pieces in ms. Default 0. */
  readonly pauseMs?: number
  /** What happens at the end: the answer ends, the line stays open in silence, or it is cut. */
  readonly end?: 'end' | 'silence' | 'cut'
}

export type Script = (received: Received) => Answer | Promise<Answer>

/** A real server on a free port of the loopback address. */
export interface Endpoint {
  readonly baseUrl: string
  readonly requests: Received[]
  /** Lines that are open with a request on them. */
  readonly openRequests: number
  /** Connections that were ever made. */
  readonly connections: number
}

/** Runs a test against an endpoint, which is gone afterwards whatever happens. */
export async function withEndpoint(script: Script, test: (endpoint: Endpoint) => Promise<void>): Promise<void> {
  const requests: Received[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      const { headers, url: path = '' } = incoming
      const received = { body: JSON.parse(text), headers, path, index: requests.length, isOpen: true }
      requests.push(received)
      outgoing.on('close', () => {
        received.isOpen = false
      })
      void Promise.resolve(script(received)).then((answer) => send(answer, outgoing))
    })
  })
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await test({
      baseUrl: `http://127.0.0.1:${port}/v1`,
      requests,
      get openRequests() {
        return requests.filter((one) => one.isOpen).length
      },
      get connections() {
        return connections
      },
    })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

async function send(answer: Answer, outgoing: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, json, text, events, pieces, pauseMs = 0, end = 'end' } = answer
  const isStream = events !== undefined || pieces !== undefined
  const begins = isStream || json !== undefined || text !== undefined || status !== 200
  if (begins) {
    outgoing.writeHead(status, { 'content-type': isStream ? 'text/event-stream' : 'application/json', ...headers })
    outgoing.flushHeaders()
  }
  if (json !== undefined) outgoing.write(JSON.stringify(json))
  if (text !== undefined) outgoing.write(text)
  for (const event of events ?? [])
    outgoing.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  for (const piece of pieces ?? []) {
    outgoing.write(piece)
    await new Promise((resolve) => (pauseMs === 0 ? setImmediate(resolve) : setTimeout(resolve, pauseMs)))
  }
  if (end === 'end') outgoing.end()
  // What was written is to arrive before the line is cut.
  if (end === 'cut') setTimeout(() => outgoing.destroy(), 20)
}
