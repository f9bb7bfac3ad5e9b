import type { ModelResponse, ToolCall, Usage } from '@harnesswright/core'
import { PROFILES_DATE, PROFILES_VERSION } from '../profiles.js'
import type { Sending } from './read-request.js'

/** Pieces in which a text of a reply is streamed. */
const PIECES = 3

/** When a model was made, for a wire that asks: the date of the profiles, so that the same request gets the same bytes. */
export const CREATED_S: number = Date.parse(PROFILES_DATE) / 1_000

/** A reply with what the wire says of it. */
export interface Completion {
  readonly id: string
  readonly model: string
  readonly response: ModelResponse
}

/** The body of a reply that is sent whole. */
export function completionBody(completion: Completion): object {
  const { content, toolCalls = [], finish } = completion.response
  const calls = toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(wireCall) }
  const said = content === '' && toolCalls.length > 0 ? null : content
  const message = { role: 'assistant', content: said, refusal: null, ...calls }
  return {
    ...headOf(completion, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: usageOf(completion.response),
    harnesswright: extrasOf(completion.response),
  }
}

/** The chunks of a reply that is streamed. The last one tells the simulated time. */
export function completionChunks(completion: Completion, { includesUsage }: Sending): readonly object[] {
  const { response } = completion
  const head = headOf(completion, 'chat.completion.chunk')
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(includesUsage ? { usage: null } : {}),
  })
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...cutText(response.content).map((content) => chunk({ content })),
    ...(response.toolCalls ?? []).flatMap(callDeltas).map((call) => chunk({ tool_calls: [call] })),
    chunk({}, response.finish),
    ...(includesUsage ? [{ ...head, choices: [], usage: usageOf(response) }] : []),
  ]
  return [...chunks.slice(0, -1), { ...chunks.at(-1), harnesswright: extrasOf(response) }]
}

function headOf({ id, model }: Completion, object: string): object {
  return { id, object, created: CREATED_S, model, system_fingerprint: `simulated-${PROFILES_VERSION}` }
}

function wireCall({ id, name, arguments: text }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: text } }
}

function callDeltas(call: ToolCall, index: number): readonly object[] {
  const pieces = cutText(call.arguments).map((text) => ({ index, function: { arguments: text } }))
  return [{ index, ...wireCall({ ...call, arguments: '' }) }, ...pieces]
}

/** Cuts a text between characters: half of a pair would be lost on the way. */
function cutText(text: string): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / PIECES))
  return text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
}

/** What no language model would say: that this one is simulated, and how much time it took. */
function extrasOf({ latencyMs, metadata }: ModelResponse): object {
  return { simulated: true, latency_ms: latencyMs, metadata }
}

function usageOf(response: ModelResponse): object {
  const usage = response.usage as Usage // a simulated model always counts
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  }
}
