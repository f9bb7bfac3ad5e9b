import type { GenerateOptions, ModelRequest, ModelResponse, ToolCall } from '@harnesswright/core'
import type { Preset } from './preset.js'
import type { WireReply } from './stream/reply.js'
import { readTextCalls } from './text-calls/read-text-calls.js'
import type { WireRequest } from './wire/request-writer.js'
import { restoreOptional } from './wire/schema-dialect.js'
import type { ToolNames } from './wire/tool-names.js'
import { readUsage } from './wire/usage.js'

/** What a reply answers. */
export interface Answered {
  readonly request: ModelRequest
  readonly wire: WireRequest
  readonly preset: Preset
  /** A text may be a call: the endpoint is known to write calls so, or no native one was ever seen. */
  readonly mayHoldCalls: boolean
  readonly queuedMs: number
  readonly onWarning: GenerateOptions['onWarning']
}

/** A response whose fields are still to be set. */
type Draft = { -readonly [Field in keyof ModelResponse]: ModelResponse[Field] }

/** The response that a reply is, in the names of the request. What was odd in it is told. */
export function responseOf(reply: WireReply, answered: Answered): ModelResponse {
  const { request, wire, preset, mayHoldCalls, queuedMs, onWarning } = answered
  const { names, isStrict } = wire
  const native = reply.calls.length > 0
  const fromText = native ? undefined : readTextCalls(reply.content, { request, names, mayHoldCalls })
  if (onWarning !== undefined) {
    for (const warning of reply.warnings) onWarning(warning)
    if (fromText?.warning !== undefined) onWarning(fromText.warning)
  }
  const calls = native ? namedCalls(reply.calls, names) : fromText?.calls
  const said = fromText?.calls === undefined ? (reply.refusal ?? reply.content) : ''
  const content =
    isStrict && calls === undefined && request.schema !== undefined ? restoreOptional(said, request.schema) : said
  const response: Draft = { content, finish: finishOf(reply, fromText?.calls !== undefined) }
  const usage = readUsage(reply.usage)
  if (calls !== undefined) response.toolCalls = calls
  if (reply.reasoning !== undefined) response.reasoning = reply.reasoning
  if (usage !== undefined) response.usage = usage
  if (queuedMs > 0) response.queuedMs = queuedMs
  if (reply.latencyMs !== undefined && preset.simulated === true) response.latencyMs = reply.latencyMs
  const { requestId, logprobs } = reply
  if (requestId !== undefined || logprobs !== undefined)
    response.metadata = { ...(requestId && { requestId }), ...(logprobs && { logprobs: { ...logprobs } }) }
  return response
}

function namedCalls(calls: readonly ToolCall[], names: ToolNames): readonly ToolCall[] {
  return calls.map((call) => ({ ...call, name: names.fromWire(call.name) }))
}

function finishOf({ finish, refusal, content }: WireReply, isCallsFromText: boolean): string {
  if (isCallsFromText || finish === 'function_call') return 'tool_calls'
  return refusal !== undefined && content === '' ? 'refusal' : finish
}
