import type { Clock } from '@harnesswright/core'
import { failureOf } from '../failure/classify.js'
import { Failure } from '../failure/failure.js'
import { lineFailure } from '../failure/transport-failure.js'
import type { WireDelta, WireReply } from '../stream/reply.js'
import type { Client } from './client.js'
import { readReply, textOfPieces } from './read-reply.js'
import type { Waits } from './waits.js'
import { type Wait, Watchdog } from './watchdog.js'

/** What attempts at one endpoint have in common. */
export interface Line {
  readonly client: Client
  readonly clock: Clock
  readonly waits: Waits
  /** The address as it may be shown. */
  readonly where: string
}

/** What one attempt is for. */
export interface AttemptOptions {
  readonly body: object
  readonly signal: AbortSignal
  readonly isStream: boolean
  readonly onDelta: (delta: WireDelta) => void
}

/** A refusal is read up to here. */
const MOST_REFUSAL_BYTES = 65_536
/** How long counts may take after the last word of a reply, in ms. */
const AFTERMATH_MS = 5_000
/** How long the end of a stream may take after it said that it is over, in ms. */
const DRAIN_MS = 1_000

/** Sends a request once. Whatever ends it — reply, refusal, silence, abort — nothing of it stays open. */
export async function attempt(line: Line, options: AttemptOptions): Promise<WireReply> {
  const { clock, waits, where } = line
  const cut = new AbortController()
  const cutOff = new Promise<never>((_, reject) => {
    cut.signal.addEventListener('abort', () => reject(cut.signal.reason), { once: true })
  })
  const stop = (): void => cut.abort(options.signal.reason)
  options.signal.addEventListener('abort', stop, { once: true })
  const watchdog = new Watchdog(clock, (wait, ms) => cut.abort(silence(wait, ms, where)))
  watchdog.expect('connect', waits.connectMs)
  let readWhole: (() => WireReply) | undefined
  const onWhole = (read: () => WireReply): void => {
    if (readWhole === undefined) watchdog.expect('next chunk', Math.min(waits.idleMs, AFTERMATH_MS))
    readWhole = read
  }
  const listener = guardListener(options.onDelta, (error) => cut.abort(error))
  try {
    // Raced, so that the end does not depend on a fetch that listens to its signal.
    const reply = await Promise.race([
      exchange(line, { ...options, onDelta: listener.onDelta }, { cut, watchdog, onWhole }),
      cutOff,
    ])
    listener.throwIfFailed()
    return reply
  } catch (error) {
    options.signal.throwIfAborted()
    listener.throwIfFailed()
    if (readWhole !== undefined && cut.signal.reason instanceof Failure) return readWhole() // silence after the reply
    throw lineFailure(cut.signal.aborted ? cut.signal.reason : error, where)
  } finally {
    watchdog.stop()
    options.signal.removeEventListener('abort', stop)
    cutOff.catch(() => {})
  }
}

/** Keeps what a listener of the caller throws apart from what the line does: it is no reason to try again. */
function guardListener(
  onDelta: AttemptOptions['onDelta'],
  onFail: (error: unknown) => void,
): { readonly onDelta: AttemptOptions['onDelta']; throwIfFailed(): void } {
  let failed: { readonly error: unknown } | undefined
  return {
    onDelta(delta) {
      if (failed !== undefined) return
      try {
        onDelta(delta)
      } catch (error) {
        failed = { error }
        onFail(error)
      }
    },
    throwIfFailed() {
      if (failed !== undefined) throw failed.error
    },
  }
}

interface Watch {
  readonly cut: AbortController
  readonly watchdog: Watchdog
  readonly onWhole: (read: () => WireReply) => void
}

async function exchange(line: Line, options: AttemptOptions, watch: Watch): Promise<WireReply> {
  const { client, clock, waits } = line
  const { cut, watchdog, onWhole } = watch
  const onConnect = (): void => watchdog.expect('first byte', waits.firstByteMs)
  const response = await client(options.body, { signal: cut.signal, onConnect })
  if (cut.signal.aborted) {
    await response.body?.cancel() // of a fetch that does not listen to its signal
    throw cut.signal.reason
  }
  const pieces = watchedPieces(response.body, waits.idleMs, watch)
  const nowMs = (): number => clock.now()
  try {
    if (response.ok) {
      const { isStream, onDelta } = options
      return await readReply({
        response,
        pieces,
        isStreamAsked: isStream,
        onDelta,
        nowMs,
        onWhole,
        leave: (rest) => drain(rest, clock, cut),
      })
    }
    const body = await textOfPieces(pieces, MOST_REFUSAL_BYTES)
    throw failureOf({ status: response.status, headers: response.headers, body, nowMs: clock.now() })
  } catch (error) {
    if (response.ok) cut.abort(error) // what is not read any more is not to stay open
    throw error
  }
}

/** Reads a body to its end, so that its line can be used again; one that does not end soon is cut. */
function drain(rest: AsyncIterator<Uint8Array>, clock: Clock, cut: AbortController): void {
  const timer = new AbortController()
  clock.sleep(DRAIN_MS, timer.signal).then(
    () => cut.abort(null),
    () => {}, // the body ended
  )
  const end = async (): Promise<void> => {
    while ((await rest.next()).done !== true);
  }
  end()
    .catch(() => {}) // the reply is there already
    .finally(() => timer.abort(null))
}

/** The pieces of a body. Every one is a sign of life, comments that keep a line open too. */
async function* watchedPieces(
  body: Response['body'],
  idleMs: number,
  { cut, watchdog }: Watch,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  // A fetch of the host may not listen to its signal: its body is let go of all the same.
  const letGo = (): void => void reader?.cancel().catch(() => {})
  cut.signal.addEventListener('abort', letGo, { once: true })
  try {
    for (let next = await reader?.read(), isFirst = true; next?.done === false; next = await reader?.read()) {
      if (isFirst) watchdog.expect('next chunk', idleMs)
      else watchdog.touch()
      isFirst = false
      yield next.value
    }
  } finally {
    cut.signal.removeEventListener('abort', letGo)
    letGo() // where it is left before its end
  }
}

function silence(wait: Wait, limitMs: number, where: string): Failure {
  return new Failure('E_MODEL_TIMEOUT', {
    message: `The endpoint ${where} was silent for ${limitMs} ms (waiting for: ${wait})`,
  })
}
