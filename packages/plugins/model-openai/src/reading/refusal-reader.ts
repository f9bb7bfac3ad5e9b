import { failureOf } from '../failure/classify.js'
import { Bytes } from '../stream/bytes.js'
import type { WireReply } from '../stream/reply.js'
import type { BodyReader, Reading } from './body-reader.js'

/** A refusal is read up to here. */
const MOST_BYTES = 65_536

/** Reads what an endpoint says instead of a reply. */
export class RefusalReader implements BodyReader {
  readonly isFinished = false
  readonly #reading: Reading
  readonly #bytes = new Bytes()

  constructor(reading: Reading) {
    this.#reading = reading
  }

  get isOver(): boolean {
    return this.#bytes.length > MOST_BYTES
  }

  push(bytes: Uint8Array): void {
    this.#bytes.push(bytes)
  }

  end(): WireReply {
    const { head, nowMs } = this.#reading
    throw failureOf({ head, body: this.#bytes.text(), nowMs: nowMs() })
  }

  broken(): WireReply {
    return this.end()
  }
}
