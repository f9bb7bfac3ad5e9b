import type { Message, ToolCall } from '@harnesswright/core'
import { type MessageDialect, wireMessage } from './messages.js'
import { fitsWire, SAME_NAMES, type ToolNames } from './tool-names.js'

/** What a message became, and of what: a message that was changed in place since is written anew. */
interface Kept {
  readonly message: Message
  readonly calls: readonly ToolCall[]
  readonly text: string
  /** The names of its calls go over the wire as they are. */
  readonly isPlain: boolean
}

/**
 * Writes the messages of requests. Nearly all of a request was in the one before it, so the text of a message is kept as
 * long as the message is.
 */
export class MessageTexts {
  readonly dialect: MessageDialect
  readonly #kept = new WeakMap<Message, Kept>()

  constructor(dialect: MessageDialect) {
    this.dialect = dialect
  }

  /** The messages as one JSON list without its brackets, or undefined when one has a name that does not fit the wire. */
  plain(messages: readonly Message[]): string | undefined {
    let list = ''
    for (const message of messages) {
      const known = this.#kept.get(message)
      const kept = known !== undefined && isSame(known, message) ? known : this.#write(message)
      if (!kept.isPlain) return undefined
      list += list === '' ? kept.text : `,${kept.text}`
    }
    return list
  }

  /** The same with names that are mapped. */
  mapped(messages: readonly Message[], names: ToolNames): string {
    return messages.map((message) => JSON.stringify(wireMessage(message, this.dialect, names))).join(',')
  }

  #write(message: Message): Kept {
    const { toolCalls = [], content } = message
    const kept = {
      message: { ...message },
      calls: toolCalls.map((call) => ({ ...call })),
      text: JSON.stringify(wireMessage(message, this.dialect, SAME_NAMES)),
      isPlain: toolCalls.every((call) => fitsWire(call.name)),
    }
    if (typeof content === 'string') this.#kept.set(message, kept)
    return kept
  }
}

function isSame({ message: was, calls }: Kept, message: Message): boolean {
  return (
    was.content === message.content &&
    was.role === message.role &&
    was.callId === message.callId &&
    was.reasoning === message.reasoning &&
    was.toolCalls === message.toolCalls &&
    (message.toolCalls === undefined || areSame(calls, message.toolCalls))
  )
}

function areSame(were: readonly ToolCall[], calls: readonly ToolCall[]): boolean {
  if (were.length !== calls.length) return false
  for (let at = 0; at < calls.length; at++) {
    const was = were[at] as ToolCall
    const call = calls[at] as ToolCall
    if (was.arguments !== call.arguments || was.name !== call.name || was.id !== call.id) return false
  }
  return true
}
