import type { FaultRequest } from './server.js'
import type { WireCall, WireMessage } from './wire.js'

/** What the server does with a request, down to the bytes. */
export interface FaultAnswer {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The body, piece by piece: each is written when the one before it has gone out, and the event loop has come round. Left
   * out, and with the end `silence`, nothing is sent at all: no status line either.
   */
  readonly pieces?: readonly (string | Uint8Array)[]
  /** What comes after the pieces: the answer ends, the line is cut, or nothing ever comes. Default `end`. */
  readonly end?: 'end' | 'cut' | 'silence'
}

/** Answers a request. A script keeps nothing: what it depends on is the request, and those before it. */
export type FaultScript = (request: FaultRequest, earlier: readonly FaultRequest[]) => FaultAnswer

/** Counts that are reported unless a script says otherwise. */
export const FAULT_USAGE = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 4 },
} as const

/** How a message is answered. */
export interface ReplyOptions {
  /** Default: `tool_calls` when the message has calls, else `stop`. */
  readonly finish?: string
  /** Null: none is reported. */
  readonly usage?: object | null
  /** The chunk with the usage has `choices: null` instead of an empty list. Default false. */
  readonly nullChoices?: boolean
  /** The stream ends without `[DONE]`. Default false. */
  readonly noDone?: boolean
  /** The stream is sent in pieces of so many bytes. Default: in one. */
  readonly pieceBytes?: number
}

/** A message as the request asks for it: in one piece, or as a stream. */
export function reply(message: WireMessage, options: ReplyOptions = {}): FaultScript {
  const { finish = message.tool_calls === undefined ? 'stop' : 'tool_calls' } = options
  return (request) => {
    if (request.isStream) return streamOf(deltasOf(message), { ...options, finish })
    const { usage = FAULT_USAGE } = options
    return json({
      id: 'chat-1',
      object: 'chat.completion',
      created: 1,
      model: request.body.model,
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish, logprobs: null }],
      ...(usage === null ? {} : { usage }),
    })
  }
}

/** A text as the answer. */
export function say(text: string | null, options: ReplyOptions = {}): FaultScript {
  return reply({ content: text }, options)
}

/** Calls, and no text. */
export function callTools(calls: readonly WireCall[], options: ReplyOptions = {}): FaultScript {
  return reply({ content: null, tool_calls: calls }, options)
}

/** Calls whose deltas are given as they go over the wire, for endpoints that number them in their own way. */
export function callDeltas(deltas: readonly (readonly WireCall[])[]): FaultScript {
  return () =>
    streamOf(
      deltas.map((calls) => ({ role: 'assistant', tool_calls: calls })),
      { finish: 'tool_calls' },
    )
}

/** An error in the shape that endpoints give it. */
export function refuse(
  status: number,
  error: { readonly message: string; readonly type: string; readonly code?: string },
  headers: Readonly<Record<string, string>> = {},
): FaultScript {
  return () => json({ error }, status, headers)
}

/** The scripts one after another, one a request; the last one for every request after that. */
export function inTurn(...scripts: readonly [FaultScript, ...FaultScript[]]): FaultScript {
  return (request, earlier) => (scripts[Math.min(request.index, scripts.length - 1)] as FaultScript)(request, earlier)
}

/** A value as a whole answer. */
export function json(
  value: unknown,
  status: number = 200,
  headers: Readonly<Record<string, string>> = {},
): FaultAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, pieces: [JSON.stringify(value)] }
}

/** Deltas of one reply as a stream of server-sent events. */
export function streamOf(deltas: readonly object[], options: ReplyOptions & { readonly finish: string }): FaultAnswer {
  const { finish, usage = FAULT_USAGE, nullChoices = false, noDone = false, pieceBytes } = options
  const text = [
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, finish),
    ...(usage === null ? [] : [event({ choices: nullChoices ? null : [], usage })]),
    ...(noDone ? [] : ['data: [DONE]\n\n']),
  ].join('')
  return { headers: EVENTS, pieces: pieceBytes === undefined ? [text] : cutBytes(text, pieceBytes) }
}

/** Headers of a stream. */
export const EVENTS = { 'content-type': 'text/event-stream' } as const

/** One delta as a server-sent event. */
export function chunk(delta: object, finish: string | null = null): string {
  return event({ choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }] })
}

function event(fields: object): string {
  const head = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
  return `data: ${JSON.stringify({ ...head, ...fields })}\n\n`
}

/** A message as deltas: reasoning, text, then each call whole. */
function deltasOf({ tool_calls: calls = [], content, reasoning_content: reasoning, ...rest }: WireMessage): object[] {
  return [
    ...(reasoning === undefined ? [] : [{ role: 'assistant', reasoning_content: reasoning }]),
    ...(content === undefined ? [] : [{ role: 'assistant', content, ...rest }]),
    ...calls.map((call, index) => ({ role: 'assistant', tool_calls: [{ index, ...call }] })),
  ]
}

function cutBytes(text: string, size: number): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}
