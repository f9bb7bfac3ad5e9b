import { isClean, mapTexts, wellFormed } from '../json/text.js'
import type { Message } from '../types/index.js'

/**
 * The first fault of a list of messages, in words, or undefined when it is valid: system messages first, every call made
 * once and followed by its result, no result without its call.
 */
export function faultOf(messages: readonly Message[]): string | undefined {
  const open: string[] = []
  const made = new Set<string>()
  let headOver = false
  for (let index = 0; index < messages.length; index++) {
    const { role, callId = '', toolCalls } = messages[index] as Message
    if (role === 'tool') {
      const at = open.indexOf(callId)
      if (at < 0) return `message ${index} is a result of "${callId}", which no call before it makes`
      open.splice(at, 1)
      continue
    }
    if (open.length > 0) return `message ${index} stands between a call and its result ("${open[0]}")`
    if (role !== 'system') headOver = true
    else if (headOver) return `message ${index} is a system message after others`
    for (const { id } of toolCalls ?? []) {
      if (made.has(id)) return `message ${index} has the call "${id}", which is made twice`
      made.add(id)
      open.push(id)
    }
  }
  return open.length > 0 ? `the call "${open[0]}" has no result` : undefined
}

/** What stands in for a result that is not there. */
const NO_RESULT = 'error: the result of this call is not available'

/**
 * The nearest valid list: system messages first, results beside their calls, missing results said, calls made once,
 * stray results dropped.
 */
export function healMessages(messages: readonly Message[]): readonly Message[] {
  const results = new Map<string, Message>()
  for (const message of messages) {
    if (message.role === 'tool' && message.callId !== undefined && !results.has(message.callId))
      results.set(message.callId, message)
  }
  const healed: Message[] = messages.filter((message) => message.role === 'system')
  const made = new Set<string>()
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'tool') continue
    const { toolCalls = [] } = message
    const fresh = toolCalls.filter((call) => !made.has(call.id) && made.add(call.id))
    if (toolCalls.length > 0 && fresh.length === 0) continue
    healed.push(fresh.length === toolCalls.length ? message : { ...message, toolCalls: fresh })
    for (const { id } of fresh) healed.push(results.get(id) ?? { role: 'tool', callId: id, content: NO_RESULT })
  }
  return healed
}

/** True when the view still begins with the head. Messages are compared by identity of their ids. */
export function keepsHead(head: readonly Message[], view: readonly Message[]): boolean {
  return head.every((message, index) => view[index]?.id === message.id && view[index]?.content === message.content)
}

/** The nearest valid view: the head as it is, then what else the view has, healed. System messages are of the head alone. */
export function healView(head: readonly Message[], view: readonly Message[]): readonly Message[] {
  const isOfHead = ({ id, role, content }: Message): boolean =>
    head.some((own) => (id === undefined ? own.role === role && own.content === content : own.id === id))
  return healMessages([...head, ...view.filter((message) => message.role !== 'system' && !isOfHead(message))])
}

/** The message without lone surrogates, which endpoints refuse. One that is known to have none is not looked at again. */
export function cleanMessage(message: Message, known: WeakSet<Message> = new WeakSet()): Message {
  if (known.has(message)) return message
  const cleaned = isClean(message) ? message : mapTexts(message, wellFormed)
  known.add(cleaned)
  return cleaned
}
