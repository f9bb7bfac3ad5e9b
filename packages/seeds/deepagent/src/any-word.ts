import type { Tool } from '@harnesswright/core'

/** The tools that have a word of the query in their name or description, in their own order; where none has one, all of them. */
export function toolsWithAnyWord(tools: readonly Tool[], query: string): readonly Tool[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const found = tools.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase()
    return words.some((word) => text.includes(word))
  })
  return found.length === 0 ? tools : found
}
