import type { Message, ModelRequest, ToolCall } from '@harnesswright/core'
import type { ToolNames } from '../wire/tool-names.js'
import { parseMarkers } from './markers.js'

/** What decides whether a text is a call. */
export interface TextCallOptions {
  readonly request: ModelRequest
  readonly names: ToolNames
  /** The endpoint is known to write calls as text, or no native call of this model was ever seen. */
  readonly mayHoldCalls: boolean
}

/** Calls that a text is, or why one that looks like calls is none. */
export interface TextCalls {
  readonly calls?: readonly ToolCall[]
  readonly warning?: string
}

const LOOKS_LIKE_CALL = /<tool_call>|<function=/

/**
 * Calls that a model wrote as text. They are made only when the whole text is well-formed markers with the names of tools
 * on offer, and nothing that was read says the same: amid prose or in a fence a marker is talk about a call.
 */
export function readTextCalls(content: string, options: TextCallOptions): TextCalls {
  if (!LOOKS_LIKE_CALL.test(content)) return {}
  const { request, names, mayHoldCalls } = options
  const tools = request.choice === 'none' ? [] : (request.tools ?? [])
  const markers = parseMarkers(content.trim())
  const none = (why: string): TextCalls => ({
    warning: `The reply holds the marker of a tool call that is not made: ${why}.`,
  })
  if (markers === undefined) return none('the reply is not markers alone, or a marker is not well formed')
  if (!mayHoldCalls) return none('this model makes native calls')
  const calls: ToolCall[] = []
  for (const marker of markers) {
    const name = names.fromWire(marker.name)
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) return none('no tool on offer has its name')
    if (wasRead(marker.source, request.messages)) return none('a message that the model read has the same text')
    calls.push({ id: '', name, arguments: JSON.stringify(marker.read(tool.parameters)) })
  }
  return { calls }
}

/** True when an observation, or what else a user message holds, has the text: the model quotes it. */
function wasRead(text: string, messages: readonly Message[]): boolean {
  return messages.some(({ role, content }) => {
    if (role !== 'tool' && role !== 'user') return false
    const read = typeof content === 'string' ? content : JSON.stringify(content)
    return read.includes(text)
  })
}
