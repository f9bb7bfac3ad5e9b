import type { ToolCall } from '@harnesswright/core'
import { countOf, type Fields, fieldsOf } from '../json-fields.js'
import type { Logprobs } from './logprobs.js'

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
  /** What was odd in it and was mended. */
  readonly warnings: readonly string[]
  /** Undefined when none were asked for, or none came. */
  readonly logprobs?: Logprobs | undefined
}

/** A piece of a reply, with the names of the wire. */
export interface WireDelta {
  readonly text?: string
  readonly reasoning?: string
  readonly call?: { readonly index: number; readonly name?: string; readonly arguments?: string }
}

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
  const reasoningField = reasoningFieldOf(message)
  const said = reasoningField === undefined ? undefined : (message[reasoningField] as string)
  const { text, thought } = Array.isArray(content) ? textsOfParts(content) : { text: asText(content), thought: '' }
  return { text, reasoning: said ?? thought, reasoningField, refusal: asText(refusal) }
}

function reasoningFieldOf({ reasoning_content: content, reasoning }: Fields): string | undefined {
  if (typeof content === 'string' && content !== '') return 'reasoning_content'
  return typeof reasoning === 'string' && reasoning !== '' ? 'reasoning' : undefined
}

interface PartTexts {
  readonly text: string
  readonly thought: string
}

function textsOfParts(content: readonly unknown[]): PartTexts {
  const parts = content.map(textsOfPart)
  return { text: parts.map((part) => part.text).join(''), thought: parts.map((part) => part.thought).join('') }
}

/** Content in parts: texts, and thoughts that hold texts. */
function textsOfPart(part: unknown): PartTexts {
  if (typeof part === 'string') return { text: part, thought: '' }
  const { type, text, thinking } = (part ?? {}) as Fields
  if (type !== 'thinking') return { text: asText(text), thought: '' }
  const inner = Array.isArray(thinking) ? thinking.map((one) => textsOfPart(one).text).join('') : asText(thinking)
  return { text: '', thought: inner }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
