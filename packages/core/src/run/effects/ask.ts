import { type AskAction, asText, type Json, type Message, type Question } from '@harnesswright/protocol'
import { checkAnswer } from '../../assemble/check-snapshot.js'
import { finalObservation } from '../../tools/observation.js'
import { checkpoint } from '../checkpoint.js'
import type { RunState } from '../run-state.js'
import { beginning, type Outcome, pendingOf } from './effect.js'

/** `ask`: a person answers. Where nobody can be asked now, the run waits. */
export async function performAsk(run: RunState, action: AskAction, before: readonly Message[]): Promise<Outcome> {
  const { question, schema, callId } = action
  const asked: Question = { id: questionId(run), question, ...(schema && { schema }) }
  await checkpoint(run, { effect: { ...beginning(run, action, before), questions: [asked] } })
  const answer = await askPerson(run, asked)
  if (answer === undefined) return { observations: [], questions: [asked] }
  const data = typeof answer === 'string' ? {} : { data: answer }
  const observation = { callId: callId ?? asked.id, ok: true, content: asText(answer), ...data }
  return { observations: [finalObservation(run, observation, undefined)] }
}

/** Id of a question of the step under way. `place` is that of the call that needs leave. */
export function questionId({ path, turn }: RunState, place?: number): string {
  return `${path}#${turn.step}${place === undefined ? '' : `.${place}`}`
}

/** The answer: one that was given already, else that of the person whom the environment asks, else none yet. */
export async function askPerson(run: RunState, question: Question): Promise<Json | undefined> {
  const given = run.tree.answers[question.id] ?? pendingOf(run)?.answers?.[question.id]
  if (given !== undefined) return given
  run.emit(() => ({ type: 'ask', id: question.id, question: question.question }))
  const { ask, clock } = run.env
  const answer = ask && (await run.gate.guard(clock.during(ask(question))))
  return answer === undefined ? undefined : await checkAnswer(question, answer)
}
