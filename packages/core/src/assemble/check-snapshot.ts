import {
  copyJson,
  faultOfSnapshot,
  HarnessError,
  type Json,
  messageOf,
  nearestNames,
  type Question,
  questionsOf,
  type RunRecord,
  type Snapshot,
} from '@harnesswright/protocol'
import { compileSchema } from '../json/validator.js'

/** The record of the root, of a snapshot that fits the harness. */
export function checkSnapshot(snapshot: Snapshot, manifestId: string): RunRecord {
  const fault = faultOfSnapshot(snapshot)
  if (fault !== undefined)
    throw new HarnessError('E_RUN_SNAPSHOT', { message: `${fault[0]?.toUpperCase()}${fault.slice(1)}.` })
  const root = snapshot.runs[''] as RunRecord
  if (root.opening.manifestId === manifestId) return root
  throw new HarnessError('E_RUN_SNAPSHOT', {
    message: `The snapshot is of the manifest ${root.opening.manifestId}, the harness of ${manifestId}.`,
    hint: 'Assemble the manifest that is in the snapshot.',
  })
}

/** Every answer is to a question, and has its shape. */
export async function checkAnswers(snapshot: Snapshot, answers: Readonly<Record<string, Json>>): Promise<void> {
  const questions = questionsOf(snapshot)
  for (const [id, answer] of Object.entries(answers)) {
    const question = questions.find((one) => one.id === id)
    if (question === undefined) {
      const nearest = nearestNames(
        id,
        questions.map((one) => one.id),
        5,
      ).join(', ')
      throw new HarnessError('E_RUN_ANSWER', {
        message: `No question has the id "${id}".`,
        hint: `Open: ${nearest || 'none'}.`,
      })
    }
    await checkAnswer(question, answer)
  }
}

/** A copy of an answer, which is JSON and has the shape that is asked for. */
export async function checkAnswer({ id, schema }: Question, answer: Json): Promise<Json> {
  const refuse = (what: string, cause?: unknown): never => {
    throw new HarnessError('E_RUN_ANSWER', { message: `The answer to "${id}" ${what}.`, cause })
  }
  let copy: Json = null
  try {
    copy = copyJson(answer)
  } catch (error) {
    refuse(`is not JSON: ${messageOf(error)}`, error)
  }
  const [fault] = schema === undefined ? [] : (await compileSchema(schema))(copy)
  if (fault !== undefined)
    refuse(`has not the shape that is asked for: ${`${fault.instancePath} ${fault.message}`.trim()}`)
  return copy
}
