/** What one server takes at most. */
export interface SimServerLimits {
  /** Bytes of a request's body. Default 20,000,000. */
  readonly bodyBytes: number
  /** Bytes of a request's line and headers. Default 16,384. */
  readonly headerBytes: number
  /** Connections at once; further ones are closed at once. Default 512. */
  readonly connections: number
  /** Time for a whole request to arrive, its headers too, in ms. Default 30,000. */
  readonly requestMs: number
  /** Time after which a connection on which nothing moves is closed, in ms. Default 60,000. */
  readonly idleMs: number
}

/** The limits of a server that is given none. */
export const DEFAULT_SERVER_LIMITS: SimServerLimits = {
  bodyBytes: 20_000_000,
  headerBytes: 16_384,
  connections: 512,
  requestMs: 30_000,
  idleMs: 60_000,
}

/** How deep the JSON of a request may be nested. */
export const MOST_DEPTH = 64
