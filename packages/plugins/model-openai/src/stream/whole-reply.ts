import type { ToolCall } from '@harnesswright/core'
import { type Fields, fieldsOf, textOf } from '../json-fields.js'
import { argumentText } from './call-fragments.js'
import { addLogprobs } from './logprobs.js'
import { messageTexts, simulatedMs, type WireReply } from './reply.js'

/** Reads a reply that came in one piece, or gives undefined when the value is none. */
export function wholeReply(value: unknown, requestId: string | undefined): WireReply | undefined {
  const completion = fieldsOf(value)
  const { choices } = completion ?? {}
  if (completion === undefined || !Array.isArray(choices)) return undefined
  const choice = fieldsOf(choices[0]) ?? {}
  const message = fieldsOf(choice['message']) ?? {}
  const { text, reasoning, reasoningField, refusal } = messageTexts(message)
  const calls = readCalls(message)
  return {
    content: text,
    calls,
    reasoning: reasoning === '' ? undefined : reasoning,
    reasoningField,
    refusal: refusal === '' ? undefined : refusal,
    finish: textOf(choice['finish_reason']) ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: fieldsOf(completion['usage']),
    requestId,
    latencyMs: simulatedMs(completion),
    warnings: [],
    logprobs: addLogprobs(undefined, choice),
  }
}

/** Every call of the list is one of its own, whatever its id. */
function readCalls({ tool_calls: list, function_call: legacy }: Fields): readonly ToolCall[] {
  const entries = Array.isArray(list) ? list : [legacy]
  return entries.map(fieldsOf).flatMap((entry) => {
    if (entry === undefined) return []
    const made = fieldsOf(entry['function']) ?? entry
    const call = { id: textOf(entry['id']) ?? '', name: textOf(made['name']) ?? '' }
    return [{ ...call, arguments: argumentText(made['arguments']) }]
  })
}
