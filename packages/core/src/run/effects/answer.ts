import type { AnswerAction } from '@harnesswright/protocol'
import type { Outcome } from './effect.js'

/** `answer`: the run ends with it. */
export async function performAnswer(action: AnswerAction): Promise<Outcome> {
  return { observations: [], end: { status: 'answered', answer: action.answer } }
}
