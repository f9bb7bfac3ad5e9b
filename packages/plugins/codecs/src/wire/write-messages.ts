import type { Message, Part, ToolCall } from '@harnesswright/core'
import type { TextForm } from '../form.js'
import { fenceText, labelOf } from './fence.js'

/** Writes histories in one form. Messages are never changed, so each is written once. */
export interface MessageWriter {
  /** Canonical messages as messages without calls and without results. */
  write(messages: readonly Message[], fence: string): readonly Message[]
}

/** The writer of a form. */
export function createMessageWriter(form: TextForm): MessageWriter {
  const replies = new WeakMap<Message, Message>()
  const results = new WeakMap<Message, { readonly place: string; readonly written: Message }>()

  function writeReply(message: Message): Message {
    const known = replies.get(message)
    if (known !== undefined) return known
    const written = replyMessage(message, form)
    replies.set(message, written)
    return written
  }

  function writeResult(message: Message, fence: string, label: string): Message {
    const place = fence + label
    const known = results.get(message)
    if (known?.place === place) return known.written
    const written: Message = { role: 'user', content: fenceContent(message.content, fence, label) }
    results.set(message, { place, written })
    return written
  }

  return {
    write(messages, fence) {
      const labels = new Map<string, string>()
      return messages.map((message) => {
        if (message.role === 'tool') return writeResult(message, fence, labels.get(message.callId ?? '') ?? '')
        if (message.role !== 'assistant') return message
        for (const [index, call] of (message.toolCalls ?? []).entries()) labels.set(call.id, labelCall(call, index))
        return writeReply(message)
      })
    },
  }
}

function labelCall({ name }: ToolCall, index: number): string {
  return labelOf(name, index + 1)
}

/** The text that the model itself wrote in this form, else one that says the same. */
function replyMessage(message: Message, form: TextForm): Message {
  const { toolCalls = [], wire, reasoning, ...rest } = message
  if (wire?.codec !== form.name) {
    if (toolCalls.length === 0) return message
    return { ...rest, content: form.render(message), ...(reasoning === undefined ? {} : { reasoning }) }
  }
  // Thinking that stood in the text goes back with it, and not a second time beside it.
  const isInside = reasoning === undefined || wire.content.includes(reasoning.split('\n\n', 1)[0] as string)
  return { ...rest, content: wire.content, ...(isInside ? {} : { reasoning }) }
}

function fenceContent(content: Message['content'], fence: string, label: string): Message['content'] {
  if (typeof content === 'string') return fenceText(content, fence, label)
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const others: readonly Part[] = content.filter((part) => part.type !== 'text')
  return [{ type: 'text', text: fenceText(texts.join('\n'), fence, label) }, ...others]
}

/** The words of a message. */
export function contentText({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
