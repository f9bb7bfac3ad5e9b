import { HarnessError } from '@harnesswright/core'
import { type Fetch, sendByFetch } from './send-by-fetch.js'
import { sendBySocket } from './send-by-socket.js'
import type { Cut, Outgoing, Receiver } from './sending.js'

/**
 * Sends a body; attempts with one idempotency key are one request to endpoints that take such a key.
 *
 * @param address - Default: that of chat completions.
 */
export type SendBody = (body: string, receiver: Receiver, idempotencyKey: string | undefined, address?: string) => Cut

/** Gives what sends, loaded at the first request. */
export type Client = () => SendBody | Promise<SendBody>

/** Where and as whom a client speaks. */
export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/**
 * A client on the `openai` package, which makes one request: address, key and headers of every request are those of that
 * one. What is sent and what comes back is watched and read here, as many endpoints answer in ways the package does not know.
 */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch === undefined ? sendBySocket : sendByFetch(options.fetch)
  let made: SendBody | Promise<SendBody> | undefined
  const load = async (): Promise<SendBody> => {
    try {
      const { address: usual, headers } = await makeRequest(options)
      made = (body, receiver, key, address = usual) =>
        send({ address, headers: key === undefined ? headers : { ...headers, 'idempotency-key': key }, body }, receiver)
      return made
    } catch (error) {
      made = undefined // the package may be there the next time
      throw error
    }
  }
  return () => {
    made ??= load()
    return made
  }
}

type Made = Pick<Outgoing, 'address' | 'headers'>

/** What the client would send. It is given a fetch that keeps the request and sends nothing. */
async function makeRequest({ baseUrl, apiKey, headers }: ClientOptions): Promise<Made> {
  const { default: Client } = await import('openai').catch((cause: unknown) => {
    throw new HarnessError('E_PROTOCOL_LOAD', {
      message: 'The package "openai" does not load, which @harnesswright/plugin-model-openai speaks through.',
      hint: 'Install it beside the plugin: npm install openai@6',
      cause,
    })
  })
  let made: Made | undefined
  const client = new Client({
    // All that the client would else read from the environment: the key of one endpoint is not for another.
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    defaultHeaders: { ...(apiKey === undefined ? { Authorization: null } : {}), ...headers },
    fetch: async (address, init) => {
      made = { address: String(address), headers: withoutTelemetry(init?.headers as RequestInit['headers']) }
      return new Response(null)
    },
  })
  await client.chat.completions.create({ model: '', messages: [] }).asResponse()
  if (made === undefined) throw new Error('the client made no request')
  return made
}

/** Without what the client says of this computer: its system, processor and versions are not for the endpoint. */
function withoutTelemetry(given: RequestInit['headers']): Made['headers'] {
  return Object.fromEntries([...new Headers(given)].filter(([name]) => !name.startsWith('x-stainless-')))
}
