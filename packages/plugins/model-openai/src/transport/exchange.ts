import { type Clock, isHarnessError } from '@harnesswright/core'
import { Failure } from '../failure/failure.js'
import { lineFailure } from '../failure/transport-failure.js'
import type { BodyReader } from '../reading/body-reader.js'
import { readerOf } from '../reading/reader-of.js'
import type { WireDelta, WireReply } from '../stream/reply.js'
import type { Client, SendBody } from './client.js'
import type { Cut, Head, Receiver } from './sending.js'
import type { Waits } from './waits.js'
import { type Wait, Watchdog } from './watchdog.js'

/** What exchanges with one endpoint have in common. */
export interface Line {
  readonly clock: Clock
  readonly waits: Waits
  /** The address as it may be shown. */
  readonly where: string
}

/** What one exchange is for. */
export interface ExchangeOptions {
  readonly signal: AbortSignal
  /** Absent when no stream is asked for. */
  readonly onDelta: ((delta: WireDelta) => void) | undefined
  readonly client: Client
  readonly body: string
  readonly idempotencyKey: string | undefined
}

/** How long counts may take after the last word of a reply, in ms. */
const AFTERMATH_MS = 5_000
/** How long the end of a stream may take after it said that it is over, in ms. */
const DRAIN_MS = 1_000

/**
 * Sends a request once. Whatever ends it — reply, refusal, silence, abort — nothing of it stays open.
 *
 * @throws Failure by class, the reason of the signal, or what the listener of pieces throws.
 */
export function exchange(line: Line, options: ExchangeOptions): Promise<WireReply> {
  return new Promise((resolve, reject) => new Exchange(line, options, { resolve, reject }).begin())
}

interface Outcome {
  readonly resolve: (reply: WireReply) => void
  readonly reject: (error: unknown) => void
}

class Exchange implements Receiver {
  readonly #line: Line
  readonly #options: ExchangeOptions
  readonly #outcome: Outcome
  readonly #watchdog: Watchdog
  #cut: Cut | undefined
  #reader: BodyReader | undefined
  #isSettled = false

  constructor(line: Line, options: ExchangeOptions, outcome: Outcome) {
    this.#line = line
    this.#options = options
    this.#outcome = outcome
    this.#watchdog = new Watchdog(line.clock, (wait, ms) => this.#endSilence(wait, ms))
  }

  begin(): void {
    const { signal } = this.#options
    if (signal.aborted) this.#fail(signal.reason)
    else this.#connect()
  }

  #connect(): void {
    const { signal, client } = this.#options
    signal.addEventListener('abort', this.#onAbort)
    const send = client()
    if (typeof send === 'function') this.#send(send)
    else {
      send.then(
        (loaded) => this.#isSettled || this.#send(loaded),
        (error) => this.#close(isHarnessError(error) ? error : lineFailure(error, this.#line.where)),
      )
    }
  }

  #send(send: SendBody): void {
    const { body, idempotencyKey } = this.#options
    this.#watchdog.expect('connect', this.#line.waits.connectMs)
    try {
      this.#cut = send(body, this, idempotencyKey)
    } catch (error) {
      this.onError(error)
    }
  }

  onConnect(): void {
    const { waits } = this.#line
    if (waits.isOneSilence) this.#watchdog.goOn('first byte', waits.firstByteMs)
    else this.#watchdog.expect('first byte', waits.firstByteMs)
  }

  onHead(head: Head): void {
    if (this.#isSettled) return
    const { clock } = this.#line
    this.#reader = readerOf({ head, onDelta: this.#options.onDelta, nowMs: () => clock.now() })
  }

  /** Every piece is a sign of life, comments that keep a line open too. */
  onPiece(bytes: Uint8Array): void {
    const reader = this.#reader
    if (this.#isSettled || reader === undefined) return
    this.#watchdog.touch()
    try {
      reader.push(bytes)
      if (reader.isOver) this.#leave(reader.end())
      else if (!reader.isFinished) this.#expectMore()
      else if (this.#watchdog.wait !== 'counts')
        this.#watchdog.expect('counts', Math.min(this.#line.waits.idleMs, AFTERMATH_MS))
    } catch (error) {
      this.#close(error)
    }
  }

  #expectMore(): void {
    if (this.#watchdog.wait === 'first byte') this.#watchdog.expect('next chunk', this.#line.waits.idleMs)
  }

  onEnd(): void {
    this.#watchdog.stop()
    const reader = this.#reader
    if (this.#isSettled || reader === undefined) return
    try {
      this.#settle(reader.end())
    } catch (error) {
      this.#fail(error)
    }
  }

  /** All of the reply is there once the endpoint has said why it stopped; what breaks after that takes nothing away. */
  onError(error: unknown): void {
    this.#watchdog.stop()
    if (this.#isSettled) return
    const reader = this.#reader
    if (reader?.isFinished === true) this.#settle(reader.broken())
    else this.#fail(lineFailure(error, this.#line.where))
  }

  readonly #onAbort = (): void => this.#close(this.#options.signal.reason)

  #endSilence(wait: Wait, ms: number): void {
    const silence = new Failure('E_MODEL_TIMEOUT', {
      message: `The endpoint ${this.#line.where} was silent for ${ms} ms (waiting for: ${wait})`,
    })
    const reader = this.#reader
    if (!this.#isSettled && reader?.isFinished === true) this.#settle(reader.broken())
    this.#close(silence)
  }

  /** Lets the body go on to its end, so that its line can be used again; one that does not end soon is cut. */
  #leave(reply: WireReply): void {
    this.#settle(reply)
    this.#watchdog.expect('end', DRAIN_MS)
  }

  /** Nothing more is read: the line is not to stay open. */
  #close(error: unknown): void {
    this.#fail(error)
    this.#watchdog.stop()
    this.#cut?.(error)
  }

  #settle(reply: WireReply): void {
    this.#isSettled = true
    this.#options.signal.removeEventListener('abort', this.#onAbort)
    this.#outcome.resolve(reply)
  }

  #fail(error: unknown): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#options.signal.removeEventListener('abort', this.#onAbort)
    this.#outcome.reject(error)
  }
}
