import { HarnessError } from '@harnesswright/core'
import type OpenAI from 'openai'
import { type SocketRequest, socketFetch } from './socket-fetch.js'

/** The fetch of a host that has its own: a proxy, a recorder, an edge. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

/** One request on its way. */
interface Sending {
  readonly signal: AbortSignal
  /** Called when the line stands; at once where a fetch of the host does not say when. */
  readonly onConnect: () => void
}

/** Sends a request body and gives the answer, whatever its status. */
export type Client = (body: object, sending: Sending) => Promise<Response>

/** Where and as whom a client speaks. */
export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** The longest time that a timer of Node.js takes. The waits are watched here, not by the client. */
const FOR_EVER_MS = 2_147_483_647

/** What travels with a request through the client to the fetch that is given to it. */
interface Errand {
  readonly sending: Sending
  answer: { readonly response: Response } | { readonly error: unknown } | undefined
}

/**
 * A client that is loaded at its first request. The `openai` package builds the request; refusals and broken lines are
 * read here, as many endpoints say what is wrong in ways it does not know.
 */
export function createClient(options: ClientOptions): Client {
  let loaded: Promise<OpenAI> | undefined
  return async (body, sending) => {
    loaded ??= load(options)
    loaded.catch(() => {
      loaded = undefined // the package may be there the next time
    })
    const client = await loaded
    const errand: Errand = { sending, answer: undefined }
    try {
      // The body is that of any endpoint, which the types of the package do not cover.
      await client.chat.completions.create(body as never, { fetchOptions: { errand } as never }).asResponse()
    } catch (error) {
      if (errand.answer === undefined) throw error
    }
    const { answer } = errand
    if (answer === undefined) throw new Error('the client made no request')
    if ('error' in answer) throw answer.error
    return answer.response
  }
}

async function load({ baseUrl, apiKey, headers, fetch }: ClientOptions): Promise<OpenAI> {
  const { default: Client } = await import('openai').catch((cause: unknown) => {
    throw new HarnessError('E_PROTOCOL_LOAD', {
      message: 'The package "openai" does not load, which @harnesswright/plugin-model-openai speaks through.',
      hint: 'Install it beside the plugin: npm install openai@6',
      cause,
    })
  })
  return new Client({
    // All that the client would else read from the environment: the key of one endpoint is not for another.
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: FOR_EVER_MS,
    logLevel: 'off',
    defaultHeaders: { ...(apiKey === undefined ? { Authorization: null } : {}), ...headers },
    fetch: (address, init) => runErrand(String(address), (init ?? {}) as RequestInit & { errand?: Errand }, fetch),
  })
}

/** The client always gets an empty answer: the true one goes to whom the errand is for. */
async function runErrand(address: string, init: RequestInit & { errand?: Errand }, own?: Fetch): Promise<Response> {
  const { errand, ...rest } = init
  if (errand === undefined) throw new Error('a request that is no errand')
  const { signal, onConnect } = errand.sending
  const headers = withoutTelemetry(rest.headers)
  try {
    if (own !== undefined) onConnect()
    const response = await (own === undefined
      ? socketFetch(address, { ...(rest as SocketRequest), headers, signal, onConnect })
      : own(address, { ...rest, headers, signal }))
    errand.answer = { response }
  } catch (error) {
    errand.answer = { error }
  }
  return new Response(null, { status: 200 })
}

/** Without what the client says of this computer: its system, processor and versions are not for the endpoint. */
function withoutTelemetry(given: RequestInit['headers']): Headers {
  const headers = new Headers(given)
  for (const name of [...headers.keys()]) if (name.startsWith('x-stainless-')) headers.delete(name)
  return headers
}
