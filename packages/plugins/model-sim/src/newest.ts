import type { Message } from '@harnesswright/core'
import { textOf } from './measure.js'
import type { Sight } from './sight.js'

/** Keys that the facts of a text have for the task. */
export function keysIn(text: string, { reader, keyOf }: Sight): readonly string[] {
  return reader.facts(text).map(({ key }) => keyOf(key))
}

/**
 * The newest part of the view, oldest message first: what stands behind the last reply and is not the task, else whatever
 * tells a fact and stands nearest to the end.
 */
export function newestMessages(sight: Sight): readonly Message[] {
  const { messages } = sight
  const first = messages.findIndex(({ role }) => role === 'user')
  const newest: Message[] = []
  let isFound = false
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message === undefined || message.role === 'system') continue
    const isOld = index <= first || message.role === 'assistant'
    if (isOld && isFound) break
    newest.unshift(message)
    isFound ||= keysIn(textOf(message), sight).length > 0
  }
  return newest
}

/** Keys of the claims that the newest part of the view brought. */
export function newestKeys(sight: Sight): ReadonlySet<string> {
  return new Set(newestMessages(sight).flatMap((message) => keysIn(textOf(message), sight)))
}
