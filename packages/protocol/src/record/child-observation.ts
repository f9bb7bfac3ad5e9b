import { asText } from '../json/text.js'
import type { Observation, RunResult, SubRun } from '../types/index.js'

/** The id of a child's observation. */
export function observedAs({ id, callId = id }: SubRun): string {
  return callId
}

/** What is told of a child run that has ended. */
export function observationOf(sub: SubRun, path: string, result: RunResult): Observation {
  const { status, reason = status, answer, artifacts } = result
  const ok = status === 'answered'
  const best = answer === null ? '' : `; its best answer: ${asText(answer)}`
  return {
    callId: observedAs(sub),
    ok,
    content: ok ? asText(answer) : `error: the run ${sub.id} ended as ${status} (${reason})${best}`,
    data: { path, status, reason, answer, artifacts },
    ...(ok ? {} : { error: { code: 'E_RUN_CHILD', message: `${status}: ${reason}` } }),
  }
}
