import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as an endpoint got it. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly [field: string]: unknown }
}

/** What an endpoint answers. */
export interface Answer {
  /** Nothing is sent, and the connection stays open. */
  readonly isSilent?: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a list as server-sent events. */
  readonly body: object
}

/** An endpoint on a free port of this computer. */
export interface ChatServer {
  /** Base URL for a client, with `/v1`. */
  readonly url: string
  readonly received: readonly Received[]
  close(): Promise<void>
}

/** Serves what a function answers to each request; the last answer of a list again and again. */
export async function serveChat(answers: readonly (Answer | ((request: Received) => Answer))[]): Promise<ChatServer> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const got = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) as Received['body'] }
    const answer = answers[Math.min(received.length, answers.length - 1)]
    received.push(got)
    send(response, typeof answer === 'function' ? answer(got) : (answer ?? { body: {} }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // it listens on a port, not on a pipe
    received,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function send(response: ServerResponse, { isSilent, status = 200, headers = {}, body }: Answer): void {
  if (isSilent === true) return
  const isStream = Array.isArray(body)
  const type = isStream ? 'text/event-stream' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  if (!isStream) return void response.end(JSON.stringify(body))
  for (const event of body) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end('data: [DONE]\n\n')
}

/** The pieces of a streamed answer, without usage unless there is one. */
export function streamOf(pieces: readonly string[], usage?: object): readonly object[] {
  const chunk = (delta: object, finish: string | null = null): object => ({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  return [
    ...pieces.map((content) => chunk({ content })),
    chunk({}, 'stop'),
    ...(usage === undefined ? [] : [{ id: 'c', choices: [], usage }]),
  ]
}
