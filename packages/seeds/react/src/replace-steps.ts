import type { Message } from '@harnesswright/core'

/** Steps that leave a view, from the first to the last, and the message that takes their place. */
export interface Replaced {
  readonly first: number
  readonly last: number
  /** Without one the steps just go. */
  readonly message?: Message
}

/**
 * The view without some steps: each stretch gives way to its message, which stands where the first of its steps stood. What is
 * of no step stays, and so does a message that is kept. A stretch of which no step is in view any more, because another memory
 * stands for it, is not told.
 *
 * @param stretches - None may share a step with another.
 * @param keeps - Messages that stay though their step goes, such as the plan.
 */
export function replaceSteps(
  messages: readonly Message[],
  stretches: readonly Replaced[],
  keeps: (message: Message) => boolean = () => false,
): readonly Message[] {
  const stretchOf = new Map(stretches.flatMap((stretch) => stepsIn(stretch).map((step) => [step, stretch] as const)))
  const told = new Set<Replaced>()
  return messages.flatMap((message): readonly Message[] => {
    const stretch = message.step === undefined ? undefined : stretchOf.get(message.step)
    if (stretch === undefined) return [message]
    const text = stretch.message === undefined || told.has(stretch) ? [] : [stretch.message]
    told.add(stretch)
    return keeps(message) ? [...text, message] : text
  })
}

function stepsIn({ first, last }: Replaced): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
}
