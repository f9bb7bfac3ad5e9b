import { type Message, renderHeading } from '@harnesswright/core'

/** A heading that a model has copied from the steps before. */
const COPIED = /^(?:\s*\[(?:Compressed )?Step \d+(?: to \d+)?\])+\s*/

/** The messages of a step, its heading before the model's own words. The text that the endpoint sent is not what is shown then. */
export function headStep(messages: readonly Message[], step: number): readonly Message[] {
  const heading = renderHeading('Step', step)
  return messages.map((message) => {
    if (message.role !== 'assistant') return message
    const { wire: _raw, content, ...rest } = message
    if (typeof content === 'string') return { ...rest, content: `${heading} ${content.replace(COPIED, '')}`.trim() }
    return { ...rest, content: [{ type: 'text', text: heading }, ...content] }
  })
}
