import type { GenerateOptions, Message, Model, ModelRequest, ModelResponse, Tool } from '@harnesswright/core'
import type { Answer } from './endpoint.js'

/** A body, or a part of one. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export type AnyBody = any

/** Counts that the endpoint reports unless a test says otherwise. */
export const USAGE = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
}

export interface WireMessage {
  readonly content?: unknown
  readonly tool_calls?: readonly unknown[]
  readonly [field: string]: unknown
}

/** One call on the wire. */
export function wireCall(id: string | undefined, name: string, args: string): object {
  return { ...(id === undefined ? {} : { id }), type: 'function', function: { name, arguments: args } }
}

/** A whole completion. */
export function completion(message: WireMessage, finish = 'stop', more: object = { usage: USAGE }): object {
  return {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: finish }],
    ...more,
  }
}

/** A chunk with one delta. */
export function chunk(delta: object, finish: string | null = null, more: object = {}): object {
  return {
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  }
}

/** The same message in one piece or as a stream, as the request asks. */
export function answerWith(
  message: WireMessage,
  options: { finish?: string; usage?: object | null; stream: boolean },
): Answer {
  const { finish = message.tool_calls === undefined ? 'stop' : 'tool_calls', usage = USAGE } = options
  const said = usage === null ? {} : { usage }
  if (!options.stream) return { json: completion({ role: 'assistant', ...message }, finish, said) }
  const { tool_calls: calls = [], ...texts } = message
  const deltas = [
    { role: 'assistant', ...texts },
    ...calls.map((call, index) => ({ tool_calls: [{ index, ...(call as object) }] })),
  ]
  const last = usage === null ? [] : [{ choices: [], usage }]
  return { events: [...deltas.map((delta) => chunk(delta)), chunk({}, finish), ...last, '[DONE]'] }
}

/** A tool that adds. */
export const add: Tool = {
  name: 'add',
  description: 'Adds two numbers.',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  execute: ({ a, b }: { a: number; b: number }) => String(a + b),
}

export const hello: readonly Message[] = [
  { role: 'system', content: 'You help.' },
  { role: 'user', content: 'Hello.' },
]

/** Asks a model, streaming or not. */
export async function ask(
  model: Model,
  request: Partial<ModelRequest> = {},
  {
    stream = false,
    signal = new AbortController().signal,
    onDelta = () => {},
    ...told
  }: { stream?: boolean } & Partial<GenerateOptions> = {},
): Promise<ModelResponse> {
  return await model.generate(
    { purpose: 'act', messages: hello, ...request },
    { signal, ...told, ...(stream ? { onDelta } : {}) },
  )
}

/** The error that a promise ends with. */
export async function errorOf(work: Promise<unknown>): Promise<AnyBody> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}
