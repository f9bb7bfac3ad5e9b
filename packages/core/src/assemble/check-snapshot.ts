import {
  HarnessError,
  type Json,
  nearestNames,
  type Question,
  type RunRecord,
  type Snapshot,
} from '@harnesswright/protocol'
import { compileSchema } from '../json/validator.js'

/** The record of the root, of a snapshot that fits the harness. */
export function checkSnapshot(snapshot: Snapshot, manifestId: string): RunRecord {
  const root = snapshot?.runs?.['']
  if (snapshot?.version !== 1 || root?.opening === undefined)
    throw new HarnessError('E_RUN_SNAPSHOT', { message: 'This is no snapshot of version 1 with a run that has begun.' })
  if (root.opening.manifestId === manifestId) return root
  throw new HarnessError('E_RUN_SNAPSHOT', {
    message: `The snapshot is of the manifest ${root.opening.manifestId}, the harness of ${manifestId}.`,
    hint: 'Assemble the manifest that is in the snapshot.',
  })
}

/** The questions for which the runs of a snapshot wait. */
export function questionsOf({ runs }: Snapshot): readonly Question[] {
  return Object.values(runs).flatMap(({ pending }) => pending?.questions ?? [])
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
    if (question.schema === undefined) continue
    const [fault] = (await compileSchema(question.schema))(answer)
    if (fault === undefined) continue
    const where = `${fault.instancePath} ${fault.message}`.trim()
    throw new HarnessError('E_RUN_ANSWER', {
      message: `The answer to "${id}" has not the shape that is asked for: ${where}.`,
    })
  }
}
