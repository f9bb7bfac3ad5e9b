import { type Message, renderHeading } from '@harnesswright/core'
import { replaceSteps, stepsOf, textOf } from '@harnesswright/seed-react/view'
import { bestSteps, scoreSteps, type Weights } from './scored-steps.js'

/** What a scored window keeps. */
export interface ScoredWindow {
  /** Most steps in view. */
  readonly most: number
  readonly weights: Weights
  /** True when the messages are in budget. */
  readonly fits: (messages: readonly Message[]) => boolean
  /** The words in place of a step, under its heading. */
  readonly leftOut: (tools: string) => string
}

/** Notes that stay whatever becomes of the steps they were made in. */
const KEPT_NOTES: readonly string[] = ['plan', 'review', 'summary']

/**
 * The view with the steps that count most, as many as there may be and as are in budget; each of the others leaves one line. Plans,
 * reviews and summaries stay. The newest step stays, however large it is.
 */
export function scoredView(messages: readonly Message[], window: ScoredWindow): readonly Message[] {
  const steps = stepsOf(messages)
  if (steps.length === 0) return messages
  const scores = scoreSteps(
    steps.map((step) => observedIn(messages, step)),
    window.weights,
  )
  for (let most = Math.min(window.most, steps.length); most > 1; most--) {
    const view = withBest(messages, bestSteps(scores, most), { steps, window })
    if (window.fits(view)) return view
  }
  return withBest(messages, bestSteps(scores, 1), { steps, window })
}

function withBest(
  messages: readonly Message[],
  best: ReadonlySet<number>,
  { steps, window }: { readonly steps: readonly number[]; readonly window: ScoredWindow },
): readonly Message[] {
  const gone = steps.filter((_, at) => !best.has(at))
  const stretches = gone.map((step) => ({ first: step, last: step, message: placeholder(messages, step, window) }))
  return replaceSteps(messages, stretches, ({ note = '' }) => KEPT_NOTES.includes(note))
}

function placeholder(messages: readonly Message[], step: number, { leftOut }: ScoredWindow): Message {
  const calls = messages.filter((message) => message.step === step).flatMap(({ toolCalls = [] }) => toolCalls)
  const tools = [...new Set(calls.map(({ name }) => name))].join(', ') || 'no tool'
  return { role: 'user', content: `${renderHeading('Step', step)} ${leftOut(tools)}`, covers: [step, step] }
}

function observedIn(messages: readonly Message[], step: number): string {
  return messages
    .filter((message) => message.step === step && message.role === 'tool')
    .map(textOf)
    .join('\n')
}
