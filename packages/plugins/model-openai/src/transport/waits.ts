/** How long an attempt may be silent, in ms. */
export interface Waits {
  readonly connectMs: number
  /** From the line to the first byte of the reply. */
  readonly firstByteMs: number
  /** Between two pieces of the reply. */
  readonly idleMs: number
  /** The waits for the connection and for the first byte are one: the second does not begin anew. */
  readonly isOneSilence: boolean
  /** Most attempts again after a silence. */
  readonly silentRetries: number
}

/** What a host says of waits. */
export interface WaitOptions {
  readonly connectMs?: number | undefined
  readonly firstByteMs?: number | undefined
  readonly idleMs?: number | undefined
}

const CONNECT_MS = 10_000
const FIRST_BYTE_MS = 120_000
const SLOW_FIRST_BYTE_MS = 600_000
const IDLE_MS = 60_000

/**
 * The waits of a model. An `idleMs` of the host is the longest silence of any kind, and what was silent so long is tried
 * once more, not three times: who sets it wants an end.
 */
export function waitsOf(options: WaitOptions, isSlow: boolean): Waits {
  const { idleMs = IDLE_MS } = options
  const isOneSilence = options.idleMs !== undefined && (options.connectMs ?? options.firstByteMs) === undefined
  const longest = options.idleMs ?? Number.POSITIVE_INFINITY
  const connectMs = options.connectMs ?? Math.min(CONNECT_MS, longest)
  const firstByteMs = options.firstByteMs ?? Math.min(isSlow ? SLOW_FIRST_BYTE_MS : FIRST_BYTE_MS, longest)
  return {
    connectMs,
    firstByteMs,
    idleMs,
    isOneSilence,
    silentRetries: options.idleMs === undefined ? 3 : 1,
  }
}
