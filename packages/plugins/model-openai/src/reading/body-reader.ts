import type { WireDelta, WireReply } from '../stream/reply.js'
import type { Head } from '../transport/sending.js'

/** Reads the body of an answer as it comes. All of it throw a Failure where it is no reply. */
export interface BodyReader {
  push(bytes: Uint8Array): void
  /** True when the endpoint has said why it stopped: only counts can come after that. */
  readonly isFinished: boolean
  /** True when nothing more is read, although the body may go on. */
  readonly isOver: boolean
  /** What was read, when the body ends in good order. */
  end(): WireReply
  /** What was read until the line broke, of a reply that is finished. */
  broken(): WireReply
}

/** What reading a body needs to know. */
export interface Reading {
  readonly head: Head
  /** Absent when no stream was asked for. */
  readonly onDelta: ((delta: WireDelta) => void) | undefined
  readonly nowMs: () => number
}

export function requestIdOf(head: Head): string | undefined {
  return head.header('x-request-id')
}
