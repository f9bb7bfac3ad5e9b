import type { Message, Tool } from '@harnesswright/core'
import { affordanceOf, intentOf, subjectOf } from './affordance.js'
import { textOf } from './measure.js'
import type { Intent } from './reader.js'

/** A call that stands in view, with what became of it. */
export interface MadeCall {
  readonly name: string
  readonly arguments: string
  /** What it is about, for calls to be compared: the verb with its file, else the arguments. */
  readonly subject: string
  /** What it was to do, where its tool is on offer and the arguments are whole. */
  readonly intent: Intent | undefined
  /** Index of the message that tells its result; -1 when it is not in view. */
  readonly resultAt: number
  readonly failed: boolean
}

/** The calls of a history, in order. An observation that starts with `error` tells of a failure. */
export function readCalls(messages: readonly Message[], tools: readonly Tool[]): readonly MadeCall[] {
  const results = new Map<string, number>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool' && message.callId !== undefined) results.set(message.callId, index)
  }
  return messages.flatMap((message) =>
    (message.toolCalls ?? []).map((call) => {
      const tool = tools.find((one) => one.name === call.name)
      const intent = tool === undefined ? undefined : readIntent(tool, call.arguments)
      const resultAt = results.get(call.id) ?? -1
      const result = messages[resultAt]
      return {
        name: call.name,
        arguments: call.arguments,
        intent,
        subject: intent === undefined ? call.arguments : subjectOf(intent),
        resultAt,
        failed: result !== undefined && /^\s*error\b/i.test(textOf(result)),
      }
    }),
  )
}

function readIntent(tool: Tool, text: string): Intent | undefined {
  const affordance = affordanceOf(tool)
  if (affordance === undefined) return undefined
  try {
    const args: unknown = JSON.parse(text)
    return typeof args === 'object' && args !== null ? intentOf(args as Record<string, unknown>, affordance) : undefined
  } catch {
    return undefined
  }
}
