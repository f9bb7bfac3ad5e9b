import type { Clock } from '@harnesswright/protocol'
import type { FaultAnswer } from './answer.js'
import { answerAside, isActing } from './aside.js'
import type { FaultOutcome, FaultScene, FaultStage } from './case.js'
import { createQuickClock, ManualClock, realTime } from './clocks.js'
import { type FaultRequest, type FaultServer, startFaultServer } from './server.js'

/** How a run ended: with an outcome, by throwing, or not at all. */
export type End = { readonly outcome?: FaultOutcome; readonly error?: unknown }

const PATIENCE_MS = 30_000
/** Time that passes on the quick clock while 1 ms passes. */
const QUICK = 10
/** Longest real time in which lines close after a run, in ms. */
const CLOSING_MS = 250
/** Real time in which what is left of a scene comes to its end after the run, in ms. */
const LATE_MS = 60

/** One run of a subject against a server, with what happens beside it. */
export class Play implements FaultStage {
  /** Requests that are of the row: those that offer tools. */
  readonly requests: FaultRequest[] = []
  readonly clock: ManualClock = new ManualClock()
  /** Time of the scene. */
  readonly time: Clock
  readonly toolStarted: Promise<void>
  readonly ended: Promise<void>
  readonly released: Promise<void>
  readonly notes: Map<string, unknown> = new Map()
  readonly #scene: FaultScene
  readonly #abort = new AbortController()
  readonly #waiting: { readonly index: number; found(request: FaultRequest): void }[] = []
  #server: FaultServer | undefined
  #startTool = (): void => {}
  #end = (): void => {}
  #release = (): void => {}
  #startedAt = 0
  #askedAt: number | undefined
  #abortedAt: number | undefined
  #endedAt: number | undefined

  constructor(scene: FaultScene) {
    const { clock = 'quick' } = scene
    this.#scene = scene
    this.time = clock === 'manual' ? this.clock : createQuickClock(clock === 'real' ? 1 : QUICK)
    this.toolStarted = new Promise((resolve) => {
      this.#startTool = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.released = new Promise((resolve) => {
      this.#release = resolve
    })
  }

  /**
   * Starts the server; gives its address.
   *
   * @param isTimed - Whether requests are stamped with the time of the scene. Else they are with real time.
   */
  async open(isTimed: boolean): Promise<string> {
    const now = isTimed ? { now: () => this.time.now() } : {}
    this.#server = await startFaultServer((request) => this.#answer(request), now)
    return this.#server.baseUrl
  }

  /** What a module asks beside the acting is no part of the row: it is answered, so that the run goes on. */
  #answer(request: FaultRequest): FaultAnswer {
    if (!isActing(request)) return answerAside(request)
    this.#askedAt ??= performance.now()
    const earlier = [...this.requests]
    this.requests.push(request)
    for (const { index, found } of this.#waiting) if (index === earlier.length) found(request)
    return this.#scene.script({ ...request, index: earlier.length }, earlier)
  }

  request(index: number): Promise<FaultRequest> {
    const there = this.requests[index]
    if (there !== undefined) return Promise.resolve(there)
    return new Promise((found) => this.#waiting.push({ index, found }))
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get isOver(): boolean {
    return this.#endedAt !== undefined
  }

  /** Real time of the run in ms. */
  get ms(): number {
    return (this.#endedAt ?? performance.now()) - this.#startedAt
  }

  /** Real time from the first request to the end in ms. */
  get waitedMs(): number {
    return this.#askedAt === undefined ? 0 : (this.#endedAt ?? performance.now()) - this.#askedAt
  }

  /** Real time from the abort to the end in ms. */
  get settledMs(): number | undefined {
    if (this.#abortedAt === undefined) return undefined
    return (this.#endedAt ?? performance.now()) - this.#abortedAt
  }

  /** To be called when the tool is. */
  startTool(): void {
    this.#startTool()
  }

  abort(): void {
    this.#abortedAt ??= performance.now()
    this.#abort.abort(new DOMException('The run was aborted.', 'AbortError'))
  }

  release(): void {
    this.#release()
  }

  note(name: string, value: unknown): void {
    this.notes.set(name, value)
  }

  /** Runs the subject to its end, or until nobody has the patience any more. */
  async run(subject: () => Promise<FaultOutcome>): Promise<End> {
    const { drive, patienceMs = PATIENCE_MS } = this.#scene
    const patience = new AbortController()
    this.#startedAt = performance.now()
    const running = Promise.resolve()
      .then(subject)
      .then(
        (outcome): End => ({ outcome }),
        (error: unknown): End => ({ error: error ?? new Error('nothing was thrown, as an error') }),
      )
    const driven = drive?.(this)
    const over = realTime(patienceMs, patience.signal).then(
      (): End => ({}),
      () => new Promise<End>(() => {}), // the run ended in time
    )
    const end = await Promise.race([running, over])
    if (end.outcome !== undefined || end.error !== undefined) this.#endedAt = performance.now()
    this.#end()
    patience.abort(null)
    await Promise.race([driven, realTime(LATE_MS)])
    return end
  }

  /** Waits a moment for lines to close; gives how many stay open. */
  async waitForLines(): Promise<number> {
    const until = performance.now() + CLOSING_MS
    const count = (): number => this.#server?.openRequests ?? 0
    while (count() > 0 && performance.now() < until) await realTime(2)
    return count()
  }

  /** Ends whatever still goes on. */
  async close(): Promise<void> {
    this.abort()
    this.release()
    await this.#server?.close()
  }
}
