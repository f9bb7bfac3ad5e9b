import type { EventBase, EventBody, HarnessEvent } from '../protocol/index.js'

/** The events of one tree of runs, for an observer and for readers of the run. */
export class EventStream {
  readonly #observe: ((event: HarnessEvent) => void) | undefined
  readonly #warn: (message: string) => void
  #observerFailed = false
  #buffer: HarnessEvent[] | undefined
  #wake: (() => void) | undefined
  #closed = false

  constructor(observe: ((event: HarnessEvent) => void) | undefined, warn: (message: string) => void) {
    this.#observe = observe
    this.#warn = warn
  }

  /** Whether anybody reads: events are not built otherwise. */
  get isRead(): boolean {
    return this.#observe !== undefined || this.#buffer !== undefined
  }

  emit(base: EventBase, body: EventBody): void {
    const event: HarnessEvent = { ...base, ...body }
    this.#buffer?.push(event)
    this.#wake?.()
    if (this.#observe === undefined || this.#observerFailed) return
    try {
      this.#observe(event)
    } catch (error) {
      this.#observerFailed = true
      this.#warn(`an observer threw and is not called again: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  close(): void {
    this.#closed = true
    this.#wake?.()
  }

  /** Events from now on, until the run has ended. */
  async *read(onStop: () => void): AsyncGenerator<HarnessEvent, void, undefined> {
    this.#buffer ??= []
    try {
      while (true) {
        const event = this.#buffer.shift()
        if (event !== undefined) yield event
        else if (this.#closed) return
        else await this.#next()
      }
    } finally {
      this.#buffer = undefined
      if (!this.#closed) onStop()
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined
        resolve()
      }
    })
  }
}
