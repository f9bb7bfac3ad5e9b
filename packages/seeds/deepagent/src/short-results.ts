import type { Message } from '@harnesswright/core'

/** The messages, with the beginning of each result of a tool: at most so many characters. */
export function withShortResults(messages: readonly Message[], chars: number): readonly Message[] {
  return messages.map((message) => {
    const { role, content } = message
    if (role !== 'tool' || typeof content !== 'string' || content.length <= chars) return message
    return { ...message, content: `${headOf(content, chars)}…` }
  })
}

/** The beginning of a text, of at most so many characters, with no half of a character at its end. */
export function headOf(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, chars).replace(/[\ud800-\udbff]$/, '')
}
