import { utf8Length } from '../json/text.js'
import type { Message, ModelInfo, ModelRequest, Tool } from '../types/index.js'

/** How requests are measured. */
export interface SizeOptions {
  /** Tokens of a text for a model. Default: from bytes. */
  readonly countTokens?: (text: string, model: string) => number
  /** Bounds never below a token for each byte. */
  readonly budget?: 'strict'
}

/** Tokens that an endpoint may add around each message and tool. */
const OVERHEAD_TOKENS = 16
/** How far a request may be above the highest share of tokens in bytes that the model has reported. */
const MARGIN = 1.25

function sentText(value: Message | Tool): string {
  if ('role' in value) {
    const { content, toolCalls, callId, reasoning } = value
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    return text + (reasoning ?? '') + (callId ?? '') + (toolCalls === undefined ? '' : JSON.stringify(toolCalls))
  }
  return value.name + value.description + JSON.stringify(value.parameters)
}

/**
 * Bounds and estimates of request sizes, in tokens, from UTF-8 bytes and what models have reported.
 *
 * A token is at least one byte, so that bytes plus an overhead are a bound. Once a model has reported usage, its highest
 * tokens per byte times 1.25 is used instead, unless the budget is strict.
 */
export class RequestSizes {
  readonly #options: SizeOptions
  readonly #bytes: WeakMap<object, number> = new WeakMap()
  /** The highest that each model has reported. */
  readonly tokensPerByte: Map<string, number> = new Map()

  constructor(options: SizeOptions) {
    this.#options = options
  }

  /** Bytes of the messages and tools of a request. */
  bytesOf({ messages, tools = [] }: ModelRequest): number {
    return sumOf(messages, this.#sentBytes) + sumOf(tools, this.#sentBytes)
  }

  /** Bytes of a message or of a tool's description as they are sent. Counted once in a run: messages are never changed. */
  readonly #sentBytes = (value: Message | Tool): number => {
    const known = this.#bytes.get(value)
    if (known !== undefined) return known
    const bytes = utf8Length(sentText(value))
    this.#bytes.set(value, bytes)
    return bytes
  }

  /** Most tokens that the request can be. */
  bound(request: ModelRequest, model: ModelInfo, ofParts: number = this.bytesOf(request)): number {
    const { messages, tools = [], schema } = request
    const { countTokens, budget } = this.#options
    const overhead = (messages.length + tools.length) * OVERHEAD_TOKENS
    const form = schema === undefined ? '' : JSON.stringify(schema)
    if (countTokens !== undefined) {
      const count = (part: Message | Tool): number => countTokens(sentText(part), model.id)
      return overhead + sumOf(messages, count) + sumOf(tools, count) + countTokens(form, model.id)
    }
    const bytes = ofParts + (form === '' ? 0 : utf8Length(form))
    const ratio = budget === 'strict' ? undefined : this.tokensPerByte.get(model.id)
    return ratio === undefined
      ? bytes + overhead
      : Math.ceil(Math.min(bytes + overhead, bytes * ratio * MARGIN + overhead))
  }

  /** Likely tokens of messages: for memories that keep a view small. */
  estimate(messages: readonly Message[], model: ModelInfo): number {
    const { countTokens } = this.#options
    if (countTokens !== undefined) return sumOf(messages, (message) => countTokens(sentText(message), model.id) + 4)
    return Math.ceil(sumOf(messages, this.#sentBytes) * (this.tokensPerByte.get(model.id) ?? 0.3)) + 4 * messages.length
  }

  /** Learns from what a model reported of a request of so many bytes; says whether that is more than before. */
  learn(bytes: number, model: ModelInfo, inputTokens: number | null): boolean {
    if (inputTokens === null || bytes === 0) return false
    if (inputTokens / bytes <= (this.tokensPerByte.get(model.id) ?? 0)) return false
    this.tokensPerByte.set(model.id, inputTokens / bytes)
    return true
  }
}

function sumOf<T>(parts: readonly T[], measure: (part: T) => number): number {
  let sum = 0
  for (const part of parts) sum += measure(part)
  return sum
}
