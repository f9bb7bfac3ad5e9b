import type { Delta, GenerateOptions, ModelRequest, ModelResponse, ToolCall } from '@harnesswright/core'
import { Failure } from './failure/failure.js'
import type { OpenAiModelOptions } from './options.js'
import type { Preset } from './preset.js'
import { createThrottle } from './rate-limiter.js'
import { type CallBudget, tryAgain } from './retry.js'
import type { WireDelta, WireReply } from './stream/reply.js'
import { readTextCalls } from './text-calls/read-text-calls.js'
import { attempt, type Line } from './transport/attempt.js'
import type { MessageDialect } from './wire/messages.js'
import { type WireRequest, wireRequest } from './wire/request-body.js'
import { restoreOptional } from './wire/schema-dialect.js'
import type { ToolNames } from './wire/tool-names.js'
import { readUsage } from './wire/usage.js'

/** What a responder is made of. */
export interface ResponderOptions {
  readonly id: string
  readonly options: OpenAiModelOptions
  readonly preset: Preset & { readonly baseUrl: string }
  readonly line: Line
  readonly redact: (text: string) => string
}

/** What a model remembers of its endpoint. */
interface Seen {
  /** Field in which reasoning came last. */
  reasoningField: string | undefined
  nativeCall: boolean
}

/** Answers one request within a budget. */
export type Respond = (request: ModelRequest, called: GenerateOptions, budget: CallBudget) => Promise<ModelResponse>

/** Makes what answers the requests of one model. */
export function createResponder(made: ResponderOptions): Respond {
  const { options, preset, line } = made
  const seen: Seen = { reasoningField: undefined, nativeCall: false }
  const throttle = createThrottle(options, preset.baseUrl, line.clock)
  return async (request, called, budget) => {
    const isStream = called.onDelta !== undefined
    const wire = wireRequest(request, {
      model: options.model,
      preset,
      messages: messageDialect(made, seen),
      stream: isStream,
      extra: options.body ?? {},
    })
    let queuedMs = 0
    const send = async (): Promise<WireReply> => {
      const ticket = await throttle.enter(wire.body, called.signal)
      queuedMs += ticket.queuedMs
      const onDelta = deltaSink(called, wire.names)
      const reply = await attempt(line, { body: wire.body, signal: called.signal, isStream, onDelta })
      ticket.settle(readUsage(reply.usage))
      return checkFinish(reply)
    }
    const reply = await tryAgain(send, retryOptions(made, called, budget))
    seen.reasoningField = reply.reasoningField ?? seen.reasoningField
    seen.nativeCall ||= reply.calls.length > 0
    return responseOf(reply, { made, seen, request, wire, queuedMs })
  }
}

function messageDialect({ options, preset }: ResponderOptions, seen: Seen): MessageDialect {
  const { reasoning = 'auto' } = options
  const echo = { echo: 'all', strip: 'none', auto: preset.echo ?? 'calls' } as const
  return {
    emptyContent: preset.emptyContent ?? 'null',
    echo: echo[reasoning],
    reasoningField: seen.reasoningField ?? preset.reasoningField ?? 'reasoning_content',
    needsReasoning: preset.needsReasoning === true,
  }
}

function retryOptions({ id, options, line, redact }: ResponderOptions, called: GenerateOptions, budget: CallBudget) {
  const { waits, clock } = line
  return {
    model: id,
    clock,
    random: options.random ?? Math.random,
    signal: called.signal,
    budget,
    silentRetries: waits.silentRetries,
    silentWaitMs: waits.idleMs / 4,
    onRetry: options.onRetry,
    redact,
  }
}

function deltaSink({ onDelta, signal }: GenerateOptions, names: ToolNames): (delta: WireDelta) => void {
  if (onDelta === undefined) return () => {}
  return ({ call, ...texts }) => {
    if (signal.aborted) return // nobody waits for it any more
    const { name, ...rest } = call ?? {}
    const delta: Delta = {
      ...texts,
      ...(call === undefined
        ? {}
        : { call: { ...rest, index: call.index, ...(name === undefined ? {} : { name: names.fromWire(name) }) } }),
    }
    onDelta(delta)
  }
}

/** Replies that say of themselves that they are none. */
function checkFinish(reply: WireReply): WireReply {
  const { finish, content, calls } = reply
  const isEmpty = content === '' && calls.length === 0
  if ((finish === 'content_filter' || finish === 'sensitive') && isEmpty)
    throw new Failure('E_MODEL_CONTENT_FILTER', { message: 'The endpoint filtered the reply' })
  if (finish === 'insufficient_system_resource')
    throw new Failure('E_MODEL_OVERLOADED', { message: 'The endpoint ran out of resources while it replied' })
  if (finish === 'network_error' || finish === 'error')
    throw new Failure('E_MODEL_TRANSPORT', { message: `The endpoint broke off its reply (${finish})` })
  return reply
}

interface Answered {
  readonly made: ResponderOptions
  readonly seen: Seen
  readonly request: ModelRequest
  readonly wire: WireRequest
  readonly queuedMs: number
}

function responseOf(reply: WireReply, { made, seen, request, wire, queuedMs }: Answered): ModelResponse {
  const { names, isStrict } = wire
  const mayHoldCalls = made.preset.textCalls === true || !seen.nativeCall
  const fromText = reply.calls.length > 0 ? {} : readTextCalls(reply.content, { request, names, mayHoldCalls })
  if (fromText.warning !== undefined) made.options.onWarning?.(fromText.warning)
  const native = reply.calls.map((call): ToolCall => ({ ...call, name: names.fromWire(call.name) }))
  const calls = fromText.calls ?? native
  const said = fromText.calls === undefined ? (reply.refusal ?? reply.content) : ''
  const usage = readUsage(reply.usage)
  const metadata = {
    ...(reply.requestId === undefined ? {} : { requestId: reply.requestId }),
    ...(queuedMs === 0 ? {} : { queuedMs }),
    ...(fromText.warning === undefined ? {} : { warnings: [fromText.warning] }),
  }
  return {
    content:
      isStrict && request.schema !== undefined && calls.length === 0 ? restoreOptional(said, request.schema) : said,
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
    finish: finishOf(reply, fromText.calls !== undefined),
    ...(usage === undefined ? {} : { usage }),
    ...(reply.latencyMs === undefined || made.preset.simulated !== true ? {} : { latencyMs: reply.latencyMs }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

function finishOf({ finish, refusal, content }: WireReply, isCallsFromText: boolean): string {
  if (isCallsFromText || finish === 'function_call') return 'tool_calls'
  return refusal !== undefined && content === '' ? 'refusal' : finish
}
