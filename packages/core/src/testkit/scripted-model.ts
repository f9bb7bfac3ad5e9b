import type { Json, Model, ModelInfo, ModelRequest, ModelResponse, ToolCall, Usage } from '@harnesswright/protocol'

/** One scripted reply: a text, calls, a whole response, an error to throw, or a function of the request. */
export type Script =
  | string
  | { readonly call: string; readonly with?: { readonly [name: string]: Json } | string; readonly say?: string }
  | {
      readonly calls: readonly { readonly call: string; readonly with?: { readonly [name: string]: Json } | string }[]
      readonly say?: string
    }
  | ModelResponse
  | Error
  | ((request: ModelRequest) => Script | Promise<Script>)

/** A model that says what a script says, and remembers what it was asked. */
export interface ScriptedModel extends Model {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[]
}

/** How a scripted model is made. */
export interface ScriptedModelOptions extends Partial<Omit<ModelInfo, 'supports'>> {
  readonly supports?: Partial<ModelInfo['supports']>
  /** What follows when the script is over. Default: its last entry again. */
  readonly after?: Script
  /** Reported with every reply that does not say. Default: characters ÷ 4. */
  readonly usage?: Usage
}

/**
 * A model for tests: the replies of a script, one a request. It is no stand-in for a language model.
 *
 * @param script - The replies, in order, or by purpose.
 */
export function createScriptedModel(
  script: readonly Script[] | Readonly<Record<string, readonly Script[]>>,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const { after, usage, supports, ...info } = options
  const requests: ModelRequest[] = []
  const made = new Map<string, number>()
  const next = (purpose: string): Script => {
    const lines = Array.isArray(script)
      ? (script as readonly Script[])
      : ((script as Record<string, readonly Script[]>)[purpose] ?? [])
    const key = Array.isArray(script) ? '' : purpose
    const index = made.get(key) ?? 0
    made.set(key, index + 1)
    const line = lines[index] ?? after ?? lines.at(-1)
    if (line === undefined) throw new Error(`the script has no reply for the purpose "${purpose}"`)
    return line
  }
  return {
    id: 'scripted',
    ...info,
    supports: { tools: true, jsonSchema: true, parallelToolCalls: true, ...supports },
    requests,
    async generate(request, { signal, onDelta }) {
      requests.push(request)
      signal.throwIfAborted()
      const response = await respond(next(request.purpose), request)
      onDelta?.({ text: response.content })
      return { usage: usage ?? estimate(request, response), ...response }
    },
  }
}

async function respond(script: Script, request: ModelRequest): Promise<ModelResponse> {
  if (typeof script === 'function') return await respond(await script(request), request)
  if (script instanceof Error) throw script
  if (typeof script === 'string') return { content: script, finish: 'stop' }
  if ('content' in script) return script
  const calls = 'call' in script ? [script] : script.calls
  return { content: script.say ?? '', toolCalls: calls.map(toCall), finish: 'tool_calls' }
}

function toCall(call: { readonly call: string; readonly with?: { readonly [name: string]: Json } | string }): ToolCall {
  const text = typeof call.with === 'string' ? call.with : JSON.stringify(call.with ?? {})
  // Without an id of its own, so that the kernel gives one.
  return { id: '', name: call.call, arguments: text }
}

function estimate(request: ModelRequest, response: ModelResponse): Usage {
  const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value ?? '').length / 4)
  return {
    inputTokens: request.messages.reduce((sum, message) => sum + tokens(message.content), 0),
    cachedTokens: 0,
    outputTokens: tokens(response.content) + tokens(response.toolCalls),
    reasoningTokens: 0,
    source: 'estimated',
  }
}
