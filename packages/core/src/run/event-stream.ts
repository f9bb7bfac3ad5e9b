import { type EventBase, type EventBody, freezeJson, type HarnessEvent, messageOf } from '@harnesswright/protocol'

interface Reader {
  queue: HarnessEvent[]
  wake(): void
}

/** The events of one tree of runs, for an observer and for readers of the run. */
export class EventStream {
  readonly #observe: ((event: HarnessEvent) => unknown) | undefined
  readonly #warn: (message: string) => void
  readonly #readers: Set<Reader> = new Set()
  #observerFailed = false
  #closed = false

  constructor(observe: ((event: HarnessEvent) => void) | undefined, warn: (message: string) => void) {
    this.#observe = observe
    this.#warn = warn
  }

  /** Whether anybody reads: events are not built otherwise. */
  get isRead(): boolean {
    return this.#observe !== undefined || this.#readers.size > 0
  }

  emit(base: EventBase, body: EventBody): void {
    // What an aborted run left behind has no place in its trace; that it came late is worth a warning to the observer.
    if (this.#closed && body.type !== 'warning') return
    const event: HarnessEvent = freezeJson({ ...base, ...body })
    if (!this.#closed) {
      for (const reader of this.#readers) {
        reader.queue.push(event)
        reader.wake()
      }
    }
    if (this.#observe === undefined || this.#observerFailed) return
    try {
      const seen = this.#observe(event)
      if (seen instanceof Promise) seen.catch((error) => this.#dropObserver(error))
    } catch (error) {
      this.#dropObserver(error)
    }
  }

  #dropObserver(error: unknown): void {
    if (this.#observerFailed) return
    this.#observerFailed = true
    this.#warn(`an observer threw and is not called again: ${messageOf(error)}`)
  }

  close(): void {
    this.#closed = true
    for (const reader of this.#readers) reader.wake()
  }

  /** Events from now on, until the run has ended. */
  async *read(onStop: () => void): AsyncGenerator<HarnessEvent, void, undefined> {
    const reader: Reader = { queue: [], wake: () => {} }
    this.#readers.add(reader)
    try {
      while (true) {
        const batch = reader.queue
        reader.queue = []
        yield* batch
        if (reader.queue.length > 0) continue
        if (this.#closed) return
        await new Promise<void>((resolve) => {
          reader.wake = resolve
        })
      }
    } finally {
      this.#readers.delete(reader)
      if (!this.#closed) onStop()
    }
  }
}
