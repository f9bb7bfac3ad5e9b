import type { Message } from '@harnesswright/core'

/** Kinds of notes that stand until a newer one of their kind is made. */
const KINDS = ['plan', 'review'] as const

/**
 * The notes that must not go with the steps they were made in: the newest plan, and the newest review of it where it came later.
 *
 * @param messages - A view, in its order.
 */
export function standingNotes(messages: readonly Message[]): readonly Message[] {
  const [plan, review] = KINDS.map((kind) => messages.findLastIndex((message) => message.note === kind))
  return [plan, (review ?? -1) > (plan ?? -1) ? review : -1].flatMap((index) => messages[index ?? -1] ?? [])
}
