import { textOf } from './measure.js'
import type { Sight } from './sight.js'

/** Keys that the facts of a text have for the task. */
export function keysIn(text: string, { reader, keyOf }: Sight): readonly string[] {
  return reader.facts(text).map(({ key }) => keyOf(key))
}

/**
 * Keys of the claims that the newest part of the view brought: what stands behind the last reply and is not the task, else
 * whatever stands nearest to the end.
 */
export function newestKeys(sight: Sight): ReadonlySet<string> {
  const { messages } = sight
  const first = messages.findIndex(({ role }) => role === 'user')
  const found = new Set<string>()
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message === undefined || message.role === 'system') continue
    const isOld = index <= first || message.role === 'assistant'
    if (isOld && found.size > 0) break
    for (const key of keysIn(textOf(message), sight)) found.add(key)
  }
  return found
}
