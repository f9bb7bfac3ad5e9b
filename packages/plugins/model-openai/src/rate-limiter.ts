import type { Clock, Usage } from '@harnesswright/core'
import type { OpenAiModelOptions } from './options.js'

/** A request that was let through. */
interface Ticket {
  /** How long it waited for its turn, in ms. */
  readonly queuedMs: number
  /** Tells what it used, in place of what was estimated. */
  settle(usage: Usage | undefined): void
}

/** Lets requests through, in the order in which they come, when a minute has room for them. */
export interface Throttle {
  enter(body: string, signal: AbortSignal): Promise<Ticket>
}

const MINUTE_MS = 60_000
/** Bytes of a request for each token, until the endpoint has counted one: only for the pace, never for a bill. */
const BYTES_PER_TOKEN = 4

const shared = new WeakMap<Clock, Map<string, SharedThrottle>>()

/**
 * The throttle of a model: one for all models of the process with the same key, address and name, on one clock. None where
 * no limit is set.
 */
export function createThrottle(options: OpenAiModelOptions, baseUrl: string, clock: Clock): Throttle | undefined {
  const { limits, model, apiKey = '' } = options
  if (limits?.requestsPerMinute === undefined && limits?.tokensPerMinute === undefined) return undefined
  const all = shared.get(clock) ?? new Map<string, SharedThrottle>()
  shared.set(clock, all)
  const key = JSON.stringify([apiKey, baseUrl, model])
  const throttle = all.get(key) ?? new SharedThrottle(clock)
  all.set(key, throttle)
  throttle.tighten(limits)
  return throttle
}

interface Entry {
  readonly atMs: number
  tokens: number
}

class SharedThrottle implements Throttle {
  readonly #clock: Clock
  #requests = Number.POSITIVE_INFINITY
  #tokens = Number.POSITIVE_INFINITY
  #entries: Entry[] = []
  /** Tokens in and out of the last request that was counted, for each of its bytes. */
  #tokensPerByte = 1 / BYTES_PER_TOKEN
  #last: Promise<void> = Promise.resolve()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Of several models that share it, the smallest limits hold. */
  tighten({ requestsPerMinute, tokensPerMinute }: NonNullable<OpenAiModelOptions['limits']>): void {
    this.#requests = Math.min(this.#requests, requestsPerMinute ?? Number.POSITIVE_INFINITY)
    this.#tokens = Math.min(this.#tokens, tokensPerMinute ?? Number.POSITIVE_INFINITY)
  }

  async enter(body: string, signal: AbortSignal): Promise<Ticket> {
    const cameAtMs = this.#clock.now()
    const bytes = body.length
    const tokens = Math.ceil(bytes * this.#tokensPerByte)
    const before = this.#last
    const passed = before.then(() => this.#wait(tokens, signal))
    this.#last = passed.then(
      () => {},
      () => {}, // one that was aborted makes room for the next
    )
    const entry = await orAborted(passed, signal)
    return {
      queuedMs: entry.atMs - cameAtMs,
      settle: (usage) => {
        if (usage?.inputTokens === undefined || usage.inputTokens === null) return
        entry.tokens = usage.inputTokens + (usage.outputTokens ?? 0)
        this.#tokensPerByte = entry.tokens / bytes
      },
    }
  }

  async #wait(tokens: number, signal: AbortSignal): Promise<Entry> {
    for (;;) {
      signal.throwIfAborted()
      const nowMs = this.#clock.now()
      this.#entries = this.#entries.filter((entry) => nowMs - entry.atMs < MINUTE_MS)
      if (this.#hasRoom(tokens)) {
        const entry = { atMs: nowMs, tokens }
        this.#entries.push(entry)
        return entry
      }
      const oldest = this.#entries[0] as Entry // there is one, as an empty minute has room for anything
      await this.#clock.sleep(oldest.atMs + MINUTE_MS - nowMs, signal)
    }
  }

  #hasRoom(tokens: number): boolean {
    if (this.#entries.length === 0) return true
    const used = this.#entries.reduce((sum, entry) => sum + entry.tokens, 0)
    return this.#entries.length + 1 <= this.#requests && used + tokens <= this.#tokens
  }
}

/** The work, or the abort if that comes first: who waits behind others must not wait for them to end. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
