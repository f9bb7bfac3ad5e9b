import type { Message, RunResult } from '@harnesswright/core'
import { answerText } from '../output/outcome.js'

/**
 * What a turn adds to a conversation: its question, what was done, and what it came to. It always ends in words of the
 * assistant, so that the next question can follow for any model, also where the turn was broken off.
 *
 * @param earlier - How many messages of earlier turns the run began with.
 */
export function messagesOfTurn(result: RunResult, earlier: number): readonly Message[] {
  const own = result.messages.slice(earlier).map(({ id: _id, step: _step, ...message }) => message)
  const closing = closingOf(result)
  return closing === undefined ? own : [...own, { role: 'assistant', content: closing }]
}

/** What stands for the answer where the steps do not end in one; undefined where they do. */
function closingOf({ status, reason, answer, steps, questions = [] }: RunResult): string | undefined {
  if (answer !== null) return steps.at(-1)?.action.kind === 'answer' ? undefined : answerText(answer)
  if (status === 'waiting') return questions.map(({ question }) => question).join('\n')
  if (status === 'aborted') return '[No answer: the turn was interrupted here.]'
  return `[No answer: ${status}${reason === undefined ? '' : `, ${reason}`}.]`
}
