import { failureInReply } from '../failure/classify.js'
import { Failure } from '../failure/failure.js'
import { fieldsOf, parseJson } from '../json-fields.js'
import { Bytes } from '../stream/bytes.js'
import type { WireDelta, WireReply } from '../stream/reply.js'
import { wholeReply } from '../stream/whole-reply.js'
import type { Head } from '../transport/sending.js'
import { type BodyReader, type Reading, requestIdOf } from './body-reader.js'

/** Reads a reply that comes in one piece. */
export class WholeReader implements BodyReader {
  readonly isFinished = false
  readonly isOver = false
  readonly #reading: Reading
  readonly #bytes = new Bytes()

  constructor(reading: Reading) {
    this.#reading = reading
  }

  push(bytes: Uint8Array): void {
    this.#bytes.push(bytes)
  }

  end(): WireReply {
    const { head, onDelta, nowMs } = this.#reading
    const text = this.#bytes.text()
    const value = parseJson(text)
    const error = fieldsOf(value)?.['error']
    if (error !== undefined && error !== null) throw failureInReply(error, head, nowMs())
    const reply = wholeReply(value, requestIdOf(head))
    if (reply === undefined) throw noReply(head, text, value)
    if (onDelta !== undefined) emitWhole(reply, onDelta)
    return reply
  }

  broken(): WireReply {
    return this.end()
  }
}

function noReply({ status }: Head, text: string, value: unknown): Failure {
  const isPage = /^\s*</.test(text)
  if (value !== undefined || isPage) {
    return new Failure('E_MODEL_BAD_REQUEST', {
      message: `The endpoint answered ${status} with ${isPage ? 'a web page' : 'something that is no chat completion'}`,
      hint: 'Check the base URL: it is the address up to and without /chat/completions.',
      status,
    })
  }
  return new Failure('E_MODEL_TRANSPORT', { message: 'The reply of the endpoint is cut: it is no whole JSON' })
}

function emitWhole({ content, reasoning, calls }: WireReply, onDelta: (delta: WireDelta) => void): void {
  if (reasoning !== undefined) onDelta({ reasoning })
  if (content !== '') onDelta({ text: content })
  for (const [index, call] of calls.entries()) onDelta({ call: { index, name: call.name, arguments: call.arguments } })
}
