/** One request as it goes out. */
export interface Outgoing {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The head of an answer. */
export interface Head {
  readonly status: number
  header(name: string): string | undefined
}

/** Who is told what comes of a request. Nothing is told after `onEnd` or `onError`, of which one comes at most once. */
export interface Receiver {
  /** The line stands and the request goes out. */
  onConnect(): void
  onHead(head: Head): void
  onPiece(bytes: Uint8Array): void
  /** The body is over. */
  onEnd(): void
  /** The line broke, or there never was one. */
  onError(error: unknown): void
}

/** Closes the line of a request, whatever state it is in. */
export type Cut = (reason: unknown) => void

/** Sends a request; what comes of it is told later, never before this returns. */
export type Send = (outgoing: Outgoing, receiver: Receiver) => Cut
