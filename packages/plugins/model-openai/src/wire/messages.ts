import type { Message, Part, ToolCall } from '@harnesswright/core'
import type { ToolNames } from './tool-names.js'

/** What the wire form of messages depends on. */
export interface MessageDialect {
  readonly emptyContent: 'null' | 'text'
  readonly echo: 'all' | 'calls' | 'none'
  readonly reasoningField: string
  readonly needsReasoning: boolean
}

/** One message as an endpoint takes it: what belongs to the kernel and to memories stays here. */
export function wireMessage(message: Message, dialect: MessageDialect, names: ToolNames): object {
  const { role, content } = message
  if (role === 'assistant') return assistantMessage(message, dialect, names)
  if (role === 'tool') return { role, tool_call_id: message.callId ?? '', content: plainText(content) }
  return { role, content: typeof content === 'string' ? content : content.map(wirePart) }
}

function assistantMessage(message: Message, dialect: MessageDialect, names: ToolNames): object {
  const { toolCalls } = message
  const content = plainText(message.content)
  const hasCalls = toolCalls !== undefined && toolCalls.length > 0
  const sent: { [field: string]: unknown } = {
    role: 'assistant',
    content: content === '' && hasCalls && dialect.emptyContent === 'null' ? null : content,
  }
  const reasoning = sentReasoning(message.reasoning, hasCalls, dialect)
  if (reasoning !== undefined) sent[dialect.reasoningField] = reasoning
  if (hasCalls) sent['tool_calls'] = toolCalls.map((call) => wireCall(call, names))
  return sent
}

/** Never what was thought of a turn that is over for the mode `calls`: only of messages that make calls. */
function sentReasoning(
  reasoning: string | undefined,
  hasCalls: boolean,
  { echo, needsReasoning }: MessageDialect,
): string | undefined {
  if (echo === 'none' || (echo === 'calls' && !hasCalls)) return undefined
  return reasoning ?? (needsReasoning && hasCalls ? '' : undefined)
}

function wireCall({ id, name, arguments: text }: ToolCall, names: ToolNames): object {
  return { id, type: 'function', function: { name: names.toWire(name), arguments: text } }
}

function wirePart(part: Part): object {
  return part.type === 'text' ? part : { type: 'image_url', image_url: { url: part.url } }
}

/** The text of a message. Only user messages can show pictures. */
function plainText(content: string | readonly Part[]): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : `[image: ${part.url.slice(0, 100)}]`)).join('\n')
}
