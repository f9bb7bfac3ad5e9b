import { type Message, renderHeading } from '@harnesswright/core'
import { textOf, transcriptOf } from '@harnesswright/seed-react/view'

/** Characters of a plan or review that the published scaffold shows. */
const NOTE_CHARS = 1_000

/**
 * A step as the published scaffold shows it: a text of what was said, called and observed. Only the newest has the heading of
 * a step; the others are called compressed, though they are whole. Plan and review stand alone, cut.
 */
export function writeStep(
  messages: readonly Message[],
  { step, isNewest }: { readonly step: number; readonly isNewest: boolean },
): readonly Message[] {
  const isPlan = ({ note }: Message): boolean => note === 'plan' || note === 'review'
  const plans = messages
    .filter(isPlan)
    .map((message) => ({ ...message, content: textOf(message).slice(0, NOTE_CHARS) }))
  const rest = messages.filter((message) => !isPlan(message))
  if (rest.length === 0) return plans
  const heading = renderHeading(isNewest ? 'Step' : 'Compressed Step', step)
  return [...plans, { role: 'user', content: `${heading}\n${transcriptOf(rest)}`, note: 'step', covers: [step, step] }]
}
