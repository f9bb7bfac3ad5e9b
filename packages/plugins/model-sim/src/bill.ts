import type { ToolCall, Usage } from '@harnesswright/core'
import { tokensOf } from './measure.js'
import { MECHANICS, type SimParameters } from './profiles.js'
import type { Draft } from './shape.js'

/** A reply as it is sent, with what it costs. */
export interface Bill {
  readonly content: string
  readonly toolCalls: readonly ToolCall[]
  readonly finish: 'stop' | 'tool_calls' | 'length'
  readonly usage: Usage
  /** Simulated time in ms. */
  readonly latencyMs: number
}

/** What the bill of a reply depends on. */
export interface Charge {
  readonly profile: SimParameters
  readonly purpose: string
  readonly inputTokens: number
  readonly cachedTokens: number
  /** Most tokens of the reply, thought too. */
  readonly maxTokens: number
  /** Start of the ids of the calls, new in each request. */
  readonly callPrefix: string
}

/** Cuts a reply to its limit, and counts its tokens and its time. What is cut in a call takes the call with it. */
export function billReply(draft: Draft, charge: Charge): Bill {
  const { profile, inputTokens, cachedTokens, maxTokens } = charge
  const thought = Math.min(maxTokens, Math.round(profile.thinkTokens * (MECHANICS.think[charge.purpose] ?? 1)))
  const content = draft.content.slice(0, (maxTokens - thought) * MECHANICS.charsPerToken)
  const room = maxTokens - thought - tokensOf(content.length)
  const calls = fitCalls(draft.calls, room)
  const isCut = content.length < draft.content.length || calls.length < draft.calls.length
  const outputTokens = maxTokens - room + calls.reduce((sum, call) => sum + callTokens(call), 0)
  const seconds = (inputTokens - cachedTokens) / profile.prefillPerSecond + outputTokens / profile.decodePerSecond
  return {
    content,
    toolCalls: calls.map((call, index) => ({ id: `${charge.callPrefix}_${index + 1}`, ...call })),
    finish: isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
    usage: { inputTokens, cachedTokens, outputTokens, reasoningTokens: thought, source: 'known' },
    latencyMs: Math.round(profile.ttftMs + seconds * 1_000),
  }
}

function callTokens(call: Draft['calls'][number]): number {
  return tokensOf(call.name.length + call.arguments.length)
}

function fitCalls(calls: Draft['calls'], room: number): Draft['calls'] {
  let left = room
  const first = calls.findIndex((call) => {
    left -= callTokens(call)
    return left < 0
  })
  return first < 0 ? calls : calls.slice(0, first)
}
