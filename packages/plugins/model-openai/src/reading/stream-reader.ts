import { failureInReply } from '../failure/classify.js'
import { Failure } from '../failure/failure.js'
import { fieldsOf, parseJson } from '../json-fields.js'
import { StreamAssembly } from '../stream/assembly.js'
import type { WireReply } from '../stream/reply.js'
import { EventReader } from '../stream/sse.js'
import { type BodyReader, type Reading, requestIdOf } from './body-reader.js'

const DONE = '[DONE]'
const BROKE_OFF = 'The stream broke off after the endpoint had said why it stopped; what was read is the whole reply.'

/** Reads a reply that comes as events. */
export class StreamReader implements BodyReader {
  readonly #reading: Reading
  readonly #events = new EventReader((data) => this.#take(data))
  readonly #assembly: StreamAssembly
  #isDone = false

  constructor(reading: Reading) {
    this.#reading = reading
    this.#assembly = new StreamAssembly(reading.onDelta)
  }

  get isFinished(): boolean {
    return this.#assembly.isFinished
  }

  get isOver(): boolean {
    return this.#isDone
  }

  push(bytes: Uint8Array): void {
    this.#events.push(bytes)
  }

  end(): WireReply {
    const { isBegun } = this.#assembly
    if (!this.#isDone) this.#events.end()
    if (!this.#isDone && !this.isFinished) {
      throw new Failure('E_MODEL_TRANSPORT', {
        message: `The stream of the endpoint ended before the reply did${isBegun ? '' : ': it was empty'}`,
      })
    }
    return this.#assembly.reply(requestIdOf(this.#reading.head))
  }

  broken(): WireReply {
    const reply = this.#assembly.reply(requestIdOf(this.#reading.head))
    return { ...reply, warnings: [...reply.warnings, BROKE_OFF] }
  }

  #take(data: string): void {
    if (this.#isDone) return
    if (data === DONE || data.trim() === DONE) this.#isDone = true
    else this.#takeChunk(data)
  }

  #takeChunk(data: string): void {
    const chunk = fieldsOf(parseJson(data))
    if (chunk === undefined) {
      if (data.trim() === '') return
      throw new Failure('E_MODEL_TRANSPORT', { message: 'A chunk of the stream is no JSON object' })
    }
    const { error } = chunk
    if (error !== undefined && error !== null) {
      const { head, nowMs } = this.#reading
      throw failureInReply(error, head, nowMs())
    }
    this.#assembly.push(chunk)
  }
}
