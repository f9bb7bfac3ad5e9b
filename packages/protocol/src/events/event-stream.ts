import { messageOf } from '../errors/error.js'
import { freezeJson } from '../json/copy.js'
import type { HarnessEvent } from '../types/index.js'

/** The events of one tree of runs, for an observer and for readers of the run. */
export class EventStream {
  readonly #observe: ((event: HarnessEvent) => unknown) | undefined
  readonly #warn: (message: string) => void
  readonly #readers: Set<EventReader> = new Set()
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

  /** Gives an event to the observer and to every reader, frozen. After the end only a warning, and only to the observer. */
  emit(event: HarnessEvent): void {
    // What an aborted run left behind has no place in its trace; that it came late is worth a warning to the observer.
    if (this.#closed && event.type !== 'warning') return
    for (const value of Object.values(Object.freeze(event))) if (typeof value === 'object') freezeJson(value)
    if (!this.#closed) for (const reader of this.#readers) reader.push(event)
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

  /** The run has ended: readers read what is left and then end. */
  close(): void {
    this.#closed = true
    for (const reader of this.#readers) reader.end()
    this.#readers.clear()
  }

  /** Events from the first look on, until the run has ended. `onStop` is told of a reader that leaves before. */
  read(onStop: () => void): AsyncGenerator<HarnessEvent, void, undefined> {
    return new EventReader(
      (reader) => (this.#closed ? reader.end() : this.#readers.add(reader)),
      (reader) => this.#readers.delete(reader) && onStop(),
    )
  }
}

type Result = IteratorResult<HarnessEvent, void>

/** One reader. Written out, as each event of a generator costs several promises. */
class EventReader implements AsyncGenerator<HarnessEvent, void, undefined> {
  readonly #enter: (reader: EventReader) => void
  readonly #leave: (reader: EventReader) => void
  readonly #waiting: ((result: Result) => void)[] = []
  #queue: HarnessEvent[] = []
  #taken = 0
  #isIn = false
  #isOver = false

  constructor(enter: (reader: EventReader) => void, leave: (reader: EventReader) => void) {
    this.#enter = enter
    this.#leave = leave
  }

  push(event: HarnessEvent): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#queue.push(event)
    else waiting({ value: event, done: false })
  }

  /** No event comes any more; those that are there can still be read. */
  end(): void {
    this.#isOver = true
    for (const resolve of this.#waiting.splice(0)) resolve({ value: undefined, done: true })
  }

  next(): Promise<Result> {
    if (!this.#isIn) {
      this.#isIn = true
      this.#enter(this)
    }
    const event = this.#take()
    if (event !== undefined) return Promise.resolve({ value: event, done: false })
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Not by shift, which moves all that is behind. */
  #take(): HarnessEvent | undefined {
    const event = this.#queue[this.#taken]
    this.#taken++
    if (this.#taken < this.#queue.length) return event
    this.#queue = []
    this.#taken = 0
    return event
  }

  return(): Promise<Result> {
    this.#isIn = true
    this.#queue = []
    this.#leave(this)
    this.end()
    return Promise.resolve({ value: undefined, done: true })
  }

  throw(error: unknown): Promise<Result> {
    void this.return()
    return Promise.reject(error)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }
}
