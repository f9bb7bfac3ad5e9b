import type { Message } from '@harnesswright/core'

/** The text of a message, without its images. */
export function textOf({ content }: Message): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

/** Messages as text: what was said, what was called with which arguments, what came of it. */
export function transcriptOf(messages: readonly Message[]): string {
  const names = new Map(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name] as const)))
  return messages.flatMap((message) => linesOf(message, names)).join('\n')
}

function linesOf(message: Message, names: ReadonlyMap<string, string>): readonly string[] {
  const text = textOf(message)
  if (message.role === 'tool') return [`Result of ${names.get(message.callId ?? '') ?? 'a tool'}: ${text}`]
  const calls = (message.toolCalls ?? []).map((call) => `Call of ${call.name} with ${call.arguments}`)
  return [...(text === '' ? [] : [text]), ...calls]
}
