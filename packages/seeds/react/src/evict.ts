import type { Message } from '@harnesswright/core'

/** The words that take the place of a result. */
export type Placeholder = (tool: string, result: Message) => string

/** The steps that have messages in the view, in order. */
export function stepsOf(messages: readonly Message[]): readonly number[] {
  return [...new Set(messages.flatMap((message) => (message.step === undefined ? [] : [message.step])))]
}

/** The messages, with placeholders for the observations of all steps up to one. Calls and what was said stay. */
export function leaveOut(messages: readonly Message[], through: number, placeholder: Placeholder): readonly Message[] {
  if (through === 0) return messages
  const tools = new Map(messages.flatMap((message) => (message.toolCalls ?? []).map((call) => [call.id, call.name])))
  return messages.map((message) => {
    if (message.role !== 'tool' || message.step === undefined || message.step > through) return message
    const content = placeholder(tools.get(message.callId ?? '') ?? 'a tool', message)
    return typeof message.content === 'string' && message.content.length <= content.length
      ? message
      : { ...message, content }
  })
}

/** The first step up to which leaving out makes the view fit, else the last but one: the newest step is never left out. */
export function cutPoint({
  steps,
  fits,
}: {
  readonly steps: readonly number[]
  readonly fits: (step: number) => boolean
}): number | undefined {
  const old = steps.slice(0, -1)
  return old.find(fits) ?? old.at(-1)
}
