import { openingMessages } from '../history/opening.js'
import type { ArtifactStore, Charged, RunEnd, RunRecord, RunResult, Step, StepRecord } from '../types/index.js'
import { addCharged, NOTHING, spentOf } from './charge.js'
import { childPaths, fenceOf, type Records, stepOf } from './record.js'

/** The trajectory that records stand for. */
export function stepsOf(records: readonly StepRecord[], fence: string): readonly Step[] {
  return records.map((record, index) => stepOf(record, index + 1, fence))
}

/** What was charged to a run and to all below it, and the calls of tools that they made. */
export function chargedBelow(runs: Records, path: string): [charged: Charged, toolCalls: number] {
  const below = Object.keys(runs).filter((one) => path === '' || one === path || one.startsWith(`${path}/`))
  const records = below.map((one) => runs[one] as RunRecord)
  const made = records.flatMap(({ facts }) => Object.values(facts.toolCounts ?? {}))
  return [records.reduce((sum, run) => addCharged(sum, run.charged), NOTHING), made.reduce((sum, one) => sum + one, 0)]
}

/** The result of a run that has ended, from what is durable of it. */
export function recordedResult(
  runs: Records,
  path: string,
  end: RunEnd,
  artifacts: Pick<ArtifactStore, 'get'>,
): RunResult {
  const { opening, steps: records, facts, ms } = runs[path] as RunRecord
  const steps = stepsOf(records, fenceOf(opening.seed, path))
  const [charged, toolCalls] = chargedBelow(runs, path)
  const children = childPaths(runs, path).flatMap((child) => {
    const of = runs[child]?.end
    return of === undefined ? [] : [[child, recordedResult(runs, child, of, artifacts)] as const]
  })
  return {
    answer: null,
    artifacts: facts.artifacts ?? [],
    ...end,
    steps,
    messages: [...openingMessages(opening.task, artifacts), ...steps.flatMap((step) => step.messages)],
    spent: spentOf(charged, steps.filter((step) => step.end === undefined).length, toolCalls),
    ms,
    manifestId: opening.manifestId,
    harnessId: opening.harnessId,
    children: Object.fromEntries(children),
    warnings: facts.warnings ?? [],
  }
}

/** The end of a run that goes on after its last step. One that failed by an error is tried again. */
export function endOf({ end, steps }: RunRecord): RunEnd | undefined {
  if (end !== undefined && end.error === undefined) return end
  const last = steps.at(-1)
  if (last?.action.kind === 'fail') return { status: 'failed', reason: last.action.reason }
  if (last?.action.kind !== 'answer') return undefined
  const { answer, artifacts } = last.action
  const forced = last.end?.status === 'limit' ? last.end : { status: 'answered' as const }
  return { ...forced, answer, ...(artifacts && { artifacts }) }
}
