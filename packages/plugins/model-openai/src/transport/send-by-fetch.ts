import type { Cut, Outgoing, Receiver, Send } from './sending.js'

/** The fetch of a host that has its own: a proxy, a recorder, an edge. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

/** Sends requests by the fetch of a host. It does not say when it is connected: that is part of the first byte. */
export function sendByFetch(fetch: Fetch): Send {
  return (outgoing, receiver) => {
    const line = new FetchLine(receiver)
    void line.exchange(fetch, outgoing)
    return line.cut
  }
}

class FetchLine {
  readonly #receiver: Receiver
  readonly #stop = new AbortController()
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(receiver: Receiver) {
    this.#receiver = receiver
  }

  /** A fetch of a host may not listen to its signal: its body is let go of all the same. */
  readonly cut: Cut = (reason) => {
    this.#stop.abort(reason)
    this.#reader?.cancel().catch(() => {})
  }

  async exchange(fetch: Fetch, { address, headers, body }: Outgoing): Promise<void> {
    const receiver = this.#receiver
    const { signal } = this.#stop
    try {
      receiver.onConnect()
      const response = await fetch(address, { method: 'POST', headers: { ...headers }, body, signal })
      if (signal.aborted) return await response.body?.cancel()
      receiver.onHead({ status: response.status, header: (name) => response.headers.get(name) ?? undefined })
      await this.#receive(response.body)
      receiver.onEnd()
    } catch (error) {
      receiver.onError(error)
    }
  }

  async #receive(body: Response['body']): Promise<void> {
    const reader = body?.getReader()
    this.#reader = reader
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      this.#receiver.onPiece(next.value)
  }
}
