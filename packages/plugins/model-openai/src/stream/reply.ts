import type { ToolCall } from '@harnesswright/core'
import { countOf, type Fields, fieldsOf } from '../json-fields.js'

/** A reply as the endpoint sent it, put together, with the names of the wire. */
export interface WireReply {
  readonly content: string
  readonly calls: readonly ToolCall[]
  readonly reasoning: string | undefined
  /** The field in which reasoning came. */
  readonly reasoningField: string | undefined
  readonly refusal: string | undefined
  readonly finish: string
  readonly usage: Fields | undefined
  readonly requestId: string | undefined
  /** Simulated time in ms, which only the simulated models behind a port tell. */
  readonly latencyMs: number | undefined
}

/** A piece of a reply, with the names of the wire. */
export interface WireDelta {
  readonly text?: string
  readonly reasoning?: string
  readonly call?: { readonly index: number; readonly name?: string; readonly arguments?: string }
}

const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const

/** Texts of a message or delta, whichever fields they stand in. */
export interface MessageTexts {
  readonly text: string
  readonly reasoning: string
  readonly reasoningField: string | undefined
  readonly refusal: string
}

/** The simulated time that a completion or a chunk tells, in ms. */
export function simulatedMs(completion: Fields): number | undefined {
  return countOf(fieldsOf(completion['harnesswright'])?.['latency_ms'])
}

/** Reads the texts of a message or of a delta. */
export function messageTexts(message: Fields): MessageTexts {
  const { content, refusal } = message
  const parts = Array.isArray(content) ? content.map(partTexts) : [{ text: asText(content), thought: '' }]
  const field = REASONING_FIELDS.find((name) => typeof message[name] === 'string' && message[name] !== '')
  const thought = parts.map((part) => part.thought).join('')
  return {
    text: parts.map((part) => part.text).join(''),
    reasoning: field === undefined ? thought : (message[field] as string),
    reasoningField: field,
    refusal: asText(refusal),
  }
}

/** Content in parts: texts, and thoughts that hold texts. */
function partTexts(part: unknown): { readonly text: string; readonly thought: string } {
  if (typeof part === 'string') return { text: part, thought: '' }
  const { type, text, thinking } = (part ?? {}) as Fields
  if (type !== 'thinking') return { text: asText(text), thought: '' }
  const inner = Array.isArray(thinking) ? thinking.map((one) => partTexts(one).text).join('') : asText(thinking)
  return { text: '', thought: inner }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
