import type { Clock } from '@harnesswright/protocol'
import { systemClock } from '../../../environment/system-clock.js'
import { clip, FaultMismatch } from '../trace.js'
import { isRecord, parseJson } from '../wire.js'

/** An endpoint of the Chat Completions interface, as the kit asks it. */
export interface EndpointUnderTest {
  /** Address up to and without `/chat/completions`. */
  readonly baseUrl: string
  /** Name of the model at the endpoint. */
  readonly model: string
  /** Default: none is sent. */
  readonly apiKey?: string
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Longest time of one request in ms. Default 120,000. */
  readonly timeoutMs?: number
  /** Time of the waits before a busy endpoint is asked again. Default: the computer's clock. */
  readonly clock?: Clock
  /** Ends the request that is under way. */
  readonly signal?: AbortSignal
}

/** What an endpoint said to one request. */
export interface Answered {
  readonly status: number
  readonly text: string
  /** The text as JSON, or undefined where it is none. */
  readonly value: unknown
}

/** A stream, as far as it was read. */
export interface Streamed extends Answered {
  readonly contentType: string
  /** Every event that is JSON, in order. */
  readonly events: readonly Readonly<Record<string, unknown>>[]
  /** Events that are neither JSON nor `[DONE]`. */
  readonly unreadable: readonly string[]
}

/** One request on its way. */
export interface Asked {
  /** Replaces the key. */
  readonly apiKey?: string
  readonly signal?: AbortSignal
}

const TIMEOUT_MS = 120_000
/** How often a busy endpoint is asked again, and how long is waited when it does not say. */
const BUSY_RETRIES = 3
const BUSY_MS = 2_000
const MOST_BUSY_MS = 30_000
/** Longest answer that is read, in characters. */
const MOST_CHARS = 4_000_000

/** Sends a body and reads the whole answer. Redirects are not followed. */
export async function ask(endpoint: EndpointUnderTest, body: object, asked: Asked = {}): Promise<Answered> {
  const response = await send(endpoint, body, asked)
  const text = await readAll(response)
  return { status: response.status, text, value: parseJson(text) }
}

/** Sends a body that asks for a stream, and reads it to its end. */
export async function askStream(endpoint: EndpointUnderTest, body: object): Promise<Streamed> {
  const response = await send(endpoint, { ...body, stream: true }, {})
  const text = await readAll(response)
  const data = text
    .split(/\r?\n\r?\n/)
    .map((event) => event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : [])))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
  const read = data.filter((one) => one !== '[DONE]').map((one) => ({ one, value: parseJson(one) }))
  return {
    status: response.status,
    text,
    value: parseJson(text),
    contentType: response.headers.get('content-type') ?? '',
    events: read.flatMap(({ value }) => (isRecord(value) ? [value] : [])),
    unreadable: read.flatMap(({ one, value }) => (isRecord(value) ? [] : [one])),
  }
}

/** Sends a body; what is busy is asked again. */
export async function send(endpoint: EndpointUnderTest, body: object, { apiKey, signal }: Asked): Promise<Response> {
  const { baseUrl, headers = {}, timeoutMs = TIMEOUT_MS, clock = systemClock } = endpoint
  const key = apiKey ?? endpoint.apiKey
  const signals = [endpoint.signal, signal, AbortSignal.timeout(timeoutMs)].filter((one) => one !== undefined)
  for (let retries = 0; ; retries++) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any(signals),
    }).catch((error: unknown) => {
      throw unreachable(error)
    })
    if ((response.status !== 429 && response.status !== 503) || retries === BUSY_RETRIES) return response
    await response.body?.cancel()
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    await clock.sleep(Math.min(MOST_BUSY_MS, Number.isFinite(seconds) ? seconds * 1_000 : BUSY_MS), endpoint.signal)
  }
}

/** An abort stays one; anything else is an endpoint that does not answer. */
function unreachable(error: unknown): unknown {
  if (error instanceof Error && error.name === 'AbortError') return error
  if (error instanceof Error && error.name === 'TimeoutError') return new FaultMismatch('an answer', 'none in time')
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new FaultMismatch('an answer', `none: ${cause instanceof Error ? cause.message : String(cause)}`)
}

async function readAll(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece as Uint8Array, { stream: true })
      if (text.length > MOST_CHARS) throw new FaultMismatch(`at most ${MOST_CHARS} characters`, 'a longer answer')
    }
  } catch (error) {
    throw error instanceof FaultMismatch ? error : unreachable(error)
  }
  return text + decoder.decode()
}

/** An answer in a few words. */
export function describeAnswer({ status, text }: Answered): string {
  return `${status}: ${clip(text.trim() === '' ? '(nothing)' : text.replace(/\s+/g, ' '))}`
}
