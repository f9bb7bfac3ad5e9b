import type { Message } from '@harnesswright/core'
import { type MessageDialect, wireMessage } from './messages.js'
import { fitsWire, SAME_NAMES, type ToolNames } from './tool-names.js'

/** What a message became, and of what: a message that was changed in place since is written anew. */
interface Kept extends Pick<Message, 'content' | 'toolCalls' | 'reasoning'> {
  readonly text: string
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
    const texts: string[] = []
    this.#takeKept(messages, texts)
    for (let at = texts.length; at < messages.length; at++) {
      const text = this.#write(messages[at] as Message)
      if (text === undefined) return undefined
      texts.push(text)
    }
    return texts.join(',')
  }

  /** The same with names that are mapped. */
  mapped(messages: readonly Message[], names: ToolNames): string {
    return messages.map((message) => JSON.stringify(wireMessage(message, this.dialect, names))).join(',')
  }

  /** Takes the texts of the messages at the start that were written before. */
  #takeKept(messages: readonly Message[], texts: string[]): void {
    for (const message of messages) {
      const kept = this.#kept.get(message)
      if (kept === undefined || !isOf(kept, message)) return
      texts.push(kept.text)
    }
  }

  #write(message: Message): string | undefined {
    const { content, toolCalls, reasoning } = message
    if (toolCalls?.every((call) => fitsWire(call.name)) === false) return undefined
    const text = JSON.stringify(wireMessage(message, this.dialect, SAME_NAMES))
    if (typeof content === 'string') this.#kept.set(message, { text, content, toolCalls, reasoning } as Kept)
    return text
  }
}

function isOf(kept: Kept, { content, toolCalls, reasoning }: Message): boolean {
  return kept.content === content && kept.toolCalls === toolCalls && kept.reasoning === reasoning
}
