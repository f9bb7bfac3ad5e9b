import type { Message, ModelRequest, Tool } from '@harnesswright/core'
import { hashText, mixHashes } from './dice.js'
import { MECHANICS } from './profiles.js'
import type { TextReader } from './text-reading.js'

/** One tool or message of a request. */
export interface Element {
  readonly hash: number
  readonly tokens: number
}

/** Size and contents of a request, as numbers. */
export interface Measure {
  /** Input tokens: messages and tool schemas. */
  readonly tokens: number
  readonly tools: readonly Element[]
  readonly messages: readonly Element[]
  /** Hash of the contents without system messages and the directive. */
  readonly contents: number
}

/** The text of a message. */
export function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

/** Tokens of so many characters. */
export function tokensOf(chars: number): number {
  return Math.ceil(chars / MECHANICS.charsPerToken)
}

/** Index of the directive: a user message at the very end, which is not the only one. -1 when there is none. */
export function indexOfDirective(messages: readonly Message[]): number {
  const last = messages.length - 1
  if (messages[last]?.role !== 'user') return -1
  return messages.findIndex((message) => message.role === 'user') === last ? -1 : last
}

/** Measures requests; the sizes of tools are kept. */
export function createMeter(texts: TextReader): (request: ModelRequest) => Measure {
  const toolElements = new WeakMap<Tool, Element>()
  const elementOfTool = (tool: Tool): Element => {
    let element = toolElements.get(tool)
    if (element === undefined) {
      const text = JSON.stringify([tool.name, tool.description, tool.parameters])
      element = { hash: hashText(text), tokens: tokensOf(text.length) }
      toolElements.set(tool, element)
    }
    return element
  }
  return ({ messages, tools = [] }) => {
    const said = messages.map((message) => elementOfMessage(message, texts))
    const directive = indexOfDirective(messages)
    const counted = said.filter((_, index) => index !== directive && messages[index]?.role !== 'system')
    const offered = tools.map(elementOfTool)
    return {
      tokens: [...offered, ...said].reduce((sum, element) => sum + element.tokens, 0),
      tools: offered,
      messages: said,
      contents: counted.reduce((hash, element) => mixHashes(hash, element.hash), 1),
    }
  }
}

function elementOfMessage(message: Message, texts: TextReader): Element {
  const text = textOf(message)
  let hash = mixHashes(hashText(message.role), texts.read(text).hash)
  let chars = text.length
  for (const call of message.toolCalls ?? []) {
    hash = mixHashes(hash, hashText(call.name + call.arguments))
    chars += call.name.length + call.arguments.length
  }
  return { hash, tokens: tokensOf(chars) + MECHANICS.messageTokens }
}
