import type { Readable } from 'node:stream'
import type { Message, Model, ModelInfo, ModelRequest, ModelResponse, Tool, ToolCall } from '@harnesswright/core'
import { simModels } from '../src/index.js'

/** What a reply is made of on the wire, whole or gathered from chunks. */
export interface WireReply {
  readonly content: string
  readonly toolCalls: readonly ToolCall[]
  readonly finish: string
  readonly usage: WireUsage
  readonly harnesswright: { readonly simulated: boolean; readonly latency_ms: number; readonly metadata: object }
}

interface WireUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number }
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
}

interface WireDelta {
  readonly content?: string | null
  readonly tool_calls?: readonly {
    readonly index?: number
    readonly id?: string
    readonly function: { readonly name?: string; readonly arguments: string }
  }[]
}

interface WireBody {
  readonly choices: readonly { message?: WireDelta; delta?: WireDelta; finish_reason: string | null }[]
  readonly usage?: WireUsage | null
  readonly harnesswright?: WireReply['harnesswright']
}

/** A model behind a port, asked with plain fetch: what the simulated one says in process must come out of it. */
export function aModelOverHttp(url: string, id: string, isStream: boolean): Model {
  const info = simModels().find((model) => model.id === id) as ModelInfo
  return {
    ...info,
    async generate(request, { signal }): Promise<ModelResponse> {
      const body = toBody(id, request)
      const stream = isStream ? { stream: true, stream_options: { include_usage: true } } : {}
      const response = await post(url, { ...body, ...stream }, { signal })
      if (!response.ok) throw new Error(await response.text())
      const reply = isStream ? gather(await readChunks(response)) : await readWhole(response)
      return toResponse(reply)
    },
  }
}

/** Posts a body to the completions of a server. */
export function post(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${url}/chat/completions`, { method: 'POST', body: text, ...init })
}

/** The data of the events of a stream, which must end with `[DONE]`. */
export async function readChunks(response: Response): Promise<readonly WireBody[]> {
  const events = (await response.text()).split('\n\n')
  const data = events.filter((event) => event !== '').map((event) => event.replace(/^data: /, ''))
  if (data.pop() !== '[DONE]') throw new Error('The stream did not end with [DONE].')
  return data.map((one) => JSON.parse(one) as WireBody)
}

/** The reply in a body that was sent whole. */
export async function readWhole(response: Response): Promise<WireReply> {
  return gather([(await response.json()) as WireBody])
}

/** The reply in one body or in the chunks of a stream. */
export function gather(bodies: readonly WireBody[]): WireReply {
  const calls: { id: string; name: string; arguments: string }[] = []
  let content = ''
  let finish = ''
  for (const { choices } of bodies) {
    const { message, delta, finish_reason } = choices[0] ?? { finish_reason: null }
    const said = message ?? delta ?? {}
    content += said.content ?? ''
    finish = finish_reason ?? finish
    for (const [place, { index = place, id, function: part }] of (said.tool_calls ?? []).entries()) {
      const { name, arguments: before } = calls[index] ?? { name: part.name ?? '', arguments: '' }
      calls[index] = { id: calls[index]?.id ?? id ?? '', name, arguments: before + part.arguments }
    }
  }
  const last = bodies.at(-1) as Required<WireBody> // the last one has both
  return {
    content,
    toolCalls: calls,
    finish,
    usage: last.usage as WireUsage,
    harnesswright: last.harnesswright,
  }
}

function toResponse({ usage, harnesswright, ...reply }: WireReply): ModelResponse {
  return {
    ...reply,
    usage: {
      inputTokens: usage.prompt_tokens,
      cachedTokens: usage.prompt_tokens_details.cached_tokens,
      outputTokens: usage.completion_tokens,
      reasoningTokens: usage.completion_tokens_details.reasoning_tokens,
      source: 'known',
    },
    latencyMs: harnesswright.latency_ms,
  }
}

/** A request as the interface has it. */
export function toBody(model: string, request: ModelRequest): object {
  const { messages, tools, schema, choice } = request
  return {
    model,
    messages: messages.map(toWireMessage),
    tools: tools?.map(toWireTool),
    tool_choice: typeof choice === 'object' ? { type: 'function', function: { name: choice.tool } } : choice,
    parallel_tool_calls: request.parallelToolCalls,
    response_format: schema && {
      type: 'json_schema',
      json_schema: { name: (schema['title'] as string | undefined) ?? 'reply', schema },
    },
    max_completion_tokens: request.maxTokens,
    seed: request.seed,
    prompt_cache_key: request.session,
    metadata: { purpose: request.purpose },
  }
}

function toWireMessage({ role, content, toolCalls, callId }: Message): object {
  return {
    role,
    content: toolCalls !== undefined && content === '' ? null : content,
    tool_call_id: callId,
    tool_calls: toolCalls?.map(({ id, ...called }) => ({ id, type: 'function', function: called })),
  }
}

function toWireTool({ name, description, parameters }: Tool): object {
  return { type: 'function', function: { name, description, parameters } }
}

/** All that comes until the other side ends. */
export async function textOf(stream: Readable): Promise<string> {
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await new Promise((resolve) => stream.once('close', resolve))
  return text
}
