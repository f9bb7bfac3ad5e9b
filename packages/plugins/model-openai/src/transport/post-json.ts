import { failureOf } from '../failure/classify.js'
import { Failure } from '../failure/failure.js'
import { lineFailure } from '../failure/transport-failure.js'
import { type Fields, fieldsOf, parseJson } from '../json-fields.js'
import { Bytes } from '../stream/bytes.js'
import type { Client } from './client.js'
import type { Line } from './exchange.js'
import type { Cut, Head, Receiver } from './sending.js'

/** What is asked, and where, beside the Chat Completions interface. */
export interface Posting {
  readonly client: Client
  readonly address: string
  readonly body: string
  readonly signal: AbortSignal
}

/** An answer is read up to here, in bytes: log-probabilities of a long prompt are a few megabytes. */
const MOST_BYTES = 64 << 20

/**
 * Posts JSON to an address of the endpoint once, and reads the object that it answers with.
 *
 * @throws Failure by class, the reason of the signal, or `E_PROTOCOL_LOAD`.
 */
export async function postJson(line: Line, { client, address, body, signal }: Posting): Promise<Fields> {
  const send = await client()
  signal.throwIfAborted() // also where it was while the client was made
  const { head, text } = await new Promise<Answer>((resolve, reject) => {
    const answering = new Answering(line, { resolve, reject })
    answering.begin((receiver) => send(body, receiver, undefined, address), signal)
  })
  if (head.status < 200 || head.status >= 300) throw failureOf({ head, body: text, nowMs: line.clock.now() })
  const fields = fieldsOf(parseJson(text))
  if (fields === undefined)
    throw new Failure('E_MODEL_BAD_REQUEST', {
      message: `The endpoint answered ${new URL(address).pathname} with no JSON object`,
    })
  return fields
}

interface Answer {
  readonly head: Head
  readonly text: string
}

interface Outcome {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** One answer as it comes; one wait bounds all of it. */
class Answering implements Receiver {
  readonly #line: Line
  readonly #outcome: Outcome
  readonly #woken = new AbortController()
  readonly #bytes = new Bytes()
  #head: Head | undefined
  #cut: Cut | undefined

  constructor(line: Line, outcome: Outcome) {
    this.#line = line
    this.#outcome = outcome
  }

  begin(send: (receiver: Receiver) => Cut, signal: AbortSignal): void {
    const { clock, waits, where } = this.#line
    const ms = waits.connectMs + waits.firstByteMs + waits.idleMs
    const late = new Failure('E_MODEL_TIMEOUT', { message: `The endpoint ${where} did not answer in ${ms} ms` })
    signal.addEventListener('abort', () => this.#end(signal.reason), { once: true, signal: this.#woken.signal })
    clock.sleep(ms, this.#woken.signal).then(
      () => this.#end(late),
      () => {}, // it was answered before
    )
    try {
      this.#cut = send(this)
    } catch (error) {
      this.onError(error)
    }
  }

  onConnect(): void {}

  onHead(head: Head): void {
    this.#head = head
  }

  onPiece(bytes: Uint8Array): void {
    this.#bytes.push(bytes)
    if (this.#bytes.length > MOST_BYTES)
      this.#end(
        new Failure('E_MODEL_BAD_REQUEST', { message: `The endpoint answered with more than ${MOST_BYTES} bytes` }),
      )
  }

  onEnd(): void {
    this.#woken.abort()
    if (this.#head !== undefined) this.#outcome.resolve({ head: this.#head, text: this.#bytes.text() })
  }

  onError(error: unknown): void {
    this.#woken.abort()
    this.#outcome.reject(lineFailure(error, this.#line.where))
  }

  #end(error: unknown): void {
    this.#woken.abort()
    this.#outcome.reject(error)
    this.#cut?.(error)
  }
}
