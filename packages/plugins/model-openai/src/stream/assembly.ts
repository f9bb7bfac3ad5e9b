import { type Fields, fieldsOf, textOf } from '../json-fields.js'
import { mergeReports } from '../wire/usage.js'
import { CallFragments } from './call-fragments.js'
import { addLogprobs, type Logprobs } from './logprobs.js'
import { messageTexts, simulatedMs, type WireDelta, type WireReply } from './reply.js'

const MENDED = 'The stream mixed up the indices or ids of its calls; what their pieces hold told them apart.'
const NO_FINISH = 'The stream said that it was over and not why; its reply is taken to be whole.'

/** Puts a reply together from the chunks of a stream. */
export class StreamAssembly {
  readonly #calls: CallFragments = new CallFragments()
  readonly #onDelta: ((delta: WireDelta) => void) | undefined
  #content = ''
  #reasoning = ''
  #refusal = ''
  #reasoningField: string | undefined
  #finish: string | undefined
  #usage: Fields | undefined
  #latencyMs: number | undefined
  #logprobs: Logprobs | undefined
  #chunks = 0

  constructor(onDelta: ((delta: WireDelta) => void) | undefined) {
    this.#onDelta = onDelta
  }

  /** True once the endpoint said why it stopped: nothing of the reply is missing then. */
  get isFinished(): boolean {
    return this.#finish !== undefined
  }

  /** True when something came. */
  get isBegun(): boolean {
    return this.#chunks > 0
  }

  /** Takes one chunk. `choices` may be null or empty, and usage may stand in any chunk. */
  push(chunk: Fields): void {
    this.#chunks++
    this.#usage = mergeReports(this.#usage, chunk['usage'])
    this.#latencyMs = simulatedMs(chunk) ?? this.#latencyMs
    const { choices } = chunk
    if (!Array.isArray(choices)) return
    for (const one of choices) {
      const choice = fieldsOf(one)
      if (choice !== undefined && (choice['index'] ?? 0) === 0) this.#takeChoice(choice)
    }
  }

  /** The whole reply. A stream that never said why it stopped is taken to be over when it said that it is. */
  reply(requestId: string | undefined): WireReply {
    const calls = this.#calls.calls()
    return {
      content: this.#content,
      calls,
      reasoning: this.#reasoning === '' ? undefined : this.#reasoning,
      reasoningField: this.#reasoningField,
      refusal: this.#refusal === '' ? undefined : this.#refusal,
      finish: this.#finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
      usage: this.#usage,
      requestId,
      latencyMs: this.#latencyMs,
      warnings: this.#warnings(),
      logprobs: this.#logprobs,
    }
  }

  #warnings(): readonly string[] {
    const warnings: string[] = []
    if (this.#calls.isMended) warnings.push(MENDED)
    if (this.#finish === undefined) warnings.push(NO_FINISH)
    return warnings
  }

  #takeChoice(choice: Fields): void {
    this.#usage = mergeReports(this.#usage, choice['usage'])
    const delta = fieldsOf(choice['delta']) ?? fieldsOf(choice['message'])
    if (delta !== undefined) this.#takeDelta(delta)
    this.#finish = textOf(choice['finish_reason']) ?? this.#finish
    this.#logprobs = addLogprobs(this.#logprobs, choice)
  }

  #takeDelta(delta: Fields): void {
    const { text, reasoning, reasoningField, refusal } = messageTexts(delta)
    this.#content += text
    this.#reasoning += reasoning
    this.#refusal += refusal
    this.#reasoningField ??= reasoningField
    if (reasoning !== '') this.#onDelta?.({ reasoning })
    if (text !== '') this.#onDelta?.({ text })
    this.#takeCalls(delta)
  }

  #takeCalls({ tool_calls: calls, function_call: legacy }: Fields): void {
    const entries = Array.isArray(calls) ? calls : legacy === undefined || legacy === null ? [] : [legacy]
    for (const entry of entries) {
      const call = this.#calls.push(entry)
      if (call !== undefined) this.#onDelta?.({ call })
    }
  }
}
