import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Model, ModelResponse } from '@harnesswright/core'
import { Recent } from '../recent.js'
import { CREATED_S, completionBody, completionChunks } from './completion.js'
import { parseBody, readBody } from './read-body.js'
import { readRequest, readSending } from './read-request.js'
import { Refusal, refusalBody, toRefusal } from './refusal.js'
import { required } from './wire-fields.js'

/** Replies that are kept for requests which are sent again. */
const KEPT_REPLIES = 256

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** What is served, and on which terms. */
export interface ServiceOptions {
  readonly models: ReadonlyMap<string, Model>
  readonly bodyBytes: number
  /** Throws a {@link Refusal} for who must stay outside. */
  readonly gate: (headers: IncomingMessage['headers']) => void
}

/** Answers the requests of one server. */
export class Service {
  readonly #options: ServiceOptions
  readonly #replies = new Recent<ModelResponse>(KEPT_REPLIES)
  #count = 0

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  /** Answers one request. Never throws: who went away is told nothing. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.#options.gate(request.headers)
      await this.#route(request, response)
    } catch (thrown) {
      if (response.headersSent || response.destroyed) return
      const info = toRefusal(thrown)
      sendJson(response, info.status, refusalBody(info))
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?', 1)
    const asked = `${request.method} ${path}`
    if (asked === 'GET /v1/models') return sendJson(response, 200, this.#list())
    if (asked === 'POST /v1/chat/completions') return await this.#complete(request, response)
    throw new Refusal({
      status: 404,
      code: 'not_found',
      message: 'There are GET /v1/models and POST /v1/chat/completions, and nothing else.',
    })
  }

  #list(): object {
    const data = [...this.#options.models.keys()].map((id) => {
      return { id, object: 'model', created: CREATED_S, owned_by: 'harnesswright' }
    })
    return { object: 'list', data }
  }

  async #complete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request, this.#options.bodyBytes)
    const body = parseBody(raw)
    const sending = readSending(body)
    const model = this.#find(required(body, 'model', 'string'))
    const key = replyKey(request, raw)
    const known = key === undefined ? undefined : this.#replies.get(key)
    const reply = known ?? (await model.generate(readRequest(body), { signal: signalOf(response) }))
    if (key !== undefined) this.#replies.set(key, reply)
    const completion = { id: `chatcmpl-${++this.#count}`, model: model.id, response: reply }
    if (!sending.isStream) return sendJson(response, 200, completionBody(completion))
    await sendEvents(response, completionChunks(completion, sending))
  }

  #find(id: string): Model {
    const { models } = this.#options
    const model = models.get(id)
    if (model !== undefined) return model
    throw new Refusal({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      message: `There is no model ${JSON.stringify(id)} here. There are: ${[...models.keys()].join(', ')}.`,
    })
  }
}

/** Under which a reply is kept: a request that is sent again because the line broke is no repeat of the model's. */
function replyKey({ headers }: IncomingMessage, body: Buffer): string | undefined {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : `${createHash('sha256').update(body).digest('hex')} ${String(key)}`
}

/** Aborted when the client goes away. */
function signalOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
}

/** Sends server-sent events, as quickly as they are taken. */
async function sendEvents(response: ServerResponse, chunks: readonly object[]): Promise<void> {
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
  const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`)
  await pipeline(Readable.from(events), response)
}
