import type { Outgoing, Receiver, Send } from './sending.js'

/** The fetch of a host that has its own: a proxy, a recorder, an edge. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

/** Sends requests by the fetch of a host. It does not say when it is connected: that is part of the first byte. */
export function sendByFetch(fetch: Fetch): Send {
  return (outgoing, receiver) => {
    const line = new FetchLine(receiver)
    line.send(fetch, outgoing)
    return (reason) => line.cut(reason)
  }
}

class FetchLine {
  readonly #receiver: Receiver
  readonly #stop = new AbortController()
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(receiver: Receiver) {
    this.#receiver = receiver
  }

  send(fetch: Fetch, { address, headers, body }: Outgoing): void {
    const receiver = this.#receiver
    receiver.onConnect()
    fetch(address, { method: 'POST', headers: { ...headers }, body, signal: this.#stop.signal }).then(
      (response) => this.#receive(response),
      (error) => receiver.onError(error),
    )
  }

  /** A fetch of a host may not listen to its signal: its body is let go of all the same. */
  cut(reason: unknown): void {
    this.#stop.abort(reason)
    this.#reader?.cancel().catch(() => {})
  }

  #receive({ status, headers, body }: Response): void {
    if (this.#stop.signal.aborted) return void body?.cancel().catch(() => {})
    this.#receiver.onHead({ status, header: (name) => headers.get(name) ?? undefined })
    this.#reader = body?.getReader()
    if (this.#reader === undefined) this.#receiver.onEnd()
    else this.#read(this.#reader)
  }

  #read(reader: ReadableStreamDefaultReader<Uint8Array>): void {
    const receiver = this.#receiver
    reader.read().then(
      ({ done, value }) => {
        if (done) return receiver.onEnd()
        receiver.onPiece(value)
        this.#read(reader)
      },
      (error) => receiver.onError(error),
    )
  }
}
