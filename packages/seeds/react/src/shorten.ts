import type { Message } from '@harnesswright/core'

/** Characters of the longest result of a step. */
export function longestResult(messages: readonly Message[], step: number): number {
  const results = messages.filter((message) => message.role === 'tool' && message.step === step)
  return Math.max(0, ...results.map(({ content }) => content.length))
}

/** The messages, with head and tail of the results of some steps: at most so many characters of each. */
export function shorten(
  messages: readonly Message[],
  most: Readonly<Record<string, number>>,
  cut: (chars: number) => string,
): readonly Message[] {
  return messages.map((message) => {
    const { role, step, content } = message
    const chars = step === undefined ? undefined : most[step]
    if (role !== 'tool' || chars === undefined || typeof content !== 'string' || content.length <= chars) return message
    const head = content.slice(0, Math.ceil(chars / 2)).replace(/[\ud800-\udbff]$/, '')
    const tail = content.slice(content.length - Math.floor(chars / 2)).replace(/^[\udc00-\udfff]/, '')
    return { ...message, content: `${head}\n${cut(content.length - chars)}\n${tail}` }
  })
}
