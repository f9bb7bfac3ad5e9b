import type { Message } from '@harnesswright/core'
import { standingNotes } from '@harnesswright/seed-react/view'

/** Where a view starts anew: a message that stands for all steps up to one. */
export interface Restart {
  /** The last step that is summarised. */
  readonly through: number
  readonly message: Message
  /** The plan and its review stay, though they were made in a step that is summarised. */
  readonly keepsPlan: boolean
}

/** The view from the summary on: messages of the summarised steps go, whatever is of no step or of another memory stays. */
export function restart(messages: readonly Message[], { through, message, keepsPlan }: Restart): readonly Message[] {
  const standing = new Set(keepsPlan ? standingNotes(messages) : [])
  const isOver = ({ step }: Message): boolean => step !== undefined && step <= through
  const old = messages.filter((one) => standing.has(one) && isOver(one))
  const others = messages.filter((one) => !isOver(one))
  const first = others.findIndex(({ step }) => step !== undefined)
  const place = first < 0 ? others.length : first
  return [...others.slice(0, place), ...old, message, ...others.slice(place)]
}

/** The messages of steps of a view: those that can be summarised. */
export function stepMessages(messages: readonly Message[], after: number, through: number): readonly Message[] {
  return messages.filter(({ step }) => step !== undefined && step > after && step <= through)
}

/**
 * The last step to be summarised: the newest steps stay as they are, as many as are wanted and have room.
 *
 * @param steps - Steps in view that are not summarised yet, in order.
 * @param sizeOf - Tokens of one step.
 * @returns Undefined when nothing is left to summarise.
 */
export function lastToSummarise(
  steps: readonly number[],
  {
    keep,
    roomTokens,
    sizeOf,
  }: { readonly keep: number; readonly roomTokens: number; readonly sizeOf: (step: number) => number },
): number | undefined {
  let kept = 0
  let tokens = 0
  for (const step of steps.toReversed()) {
    tokens += sizeOf(step)
    if (kept >= keep || (kept > 0 && tokens > roomTokens)) break
    kept++
  }
  return steps.at(-1 - kept)
}
