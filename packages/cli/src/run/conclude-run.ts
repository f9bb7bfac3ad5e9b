import { join } from 'node:path'
import { questionsOf } from '@harnesswright/core'
import { type Outcome, toJsonObject } from '../output/outcome.js'
import { checkResult, isOpen } from './check-result.js'
import type { RunSession } from './execute-run.js'
import { limitAdvice } from './limit-advice.js'
import type { PreparedRun } from './prepare-run.js'
import type { FailedAttempt, RanTask } from './run-prepared.js'
import { SNAPSHOT, type TraceFile, writeRecord } from './run-store.js'

/** A run that has come to its end, with all that it was made of. */
export interface EndedRun {
  readonly ran: RanTask
  readonly session: RunSession
  readonly prepared: PreparedRun
}

/** Checks what a run left behind, and keeps the records. */
export async function concludeRun(ended: EndedRun): Promise<Outcome> {
  const { ran, session, prepared } = ended
  const { result, harness, earlier, composing } = ran
  const { packages, model, fixOf, rng } = session
  const { workspace, chosen, traces, env } = prepared
  const { manifest } = harness
  const check = await checkResult(result, session.given, workspace)
  const fix = result.error && fixOf(result.error.code)
  const held = { manifest, catalog: packages.catalog, env, task: workspace.task, seed: rng }
  const advice = await limitAdvice(result, held)
  const kept = await keepSnapshot(ended)
  workspace.opened.close()
  const outcome: Outcome = {
    result,
    ...(check === undefined ? {} : { check }),
    model,
    manifest,
    route: chosen.route,
    ...(composing === undefined ? {} : { composing }),
    ...(earlier === undefined ? {} : { earlier }),
    trace: (traces.at(-1) as TraceFile).path, // there is always that of the run's directory
    warnings: packages.warnings,
    ...(advice === undefined ? {} : { advice }),
    ...(fix === undefined ? {} : { fix }),
    ...kept,
  }
  await keepRecords(outcome, ended)
  return outcome
}

/** Writes the snapshot of a run that may go on; there is none when it is over, or had not begun. */
async function keepSnapshot({
  ran: { run, result },
  session,
  prepared,
}: EndedRun): Promise<Pick<Outcome, 'snapshot' | 'questions'>> {
  if (!isOpen(result) && result.error === undefined) return { questions: [] }
  const snapshot = run.snapshot()
  if (snapshot.runs[''] === undefined) return { questions: [] }
  const file = join(prepared.directory.path, SNAPSHOT)
  await writeRecord(file, snapshot, session.secrets)
  return { snapshot: file, questions: questionsOf(snapshot) }
}

async function keepRecords(outcome: Outcome, { ran, session, prepared }: EndedRun): Promise<void> {
  const { rng, given, secrets } = session
  const { directory, chosen } = prepared
  const record = {
    rng,
    task: given.task,
    explanation: chosen.explanation,
    ...toJsonObject(outcome),
    run: outcome.result,
    ...(ran.attempts.length === 0 ? {} : { attempts: ran.attempts.map(attemptRecord) }),
  }
  await writeRecord(join(directory.path, 'manifest.json'), outcome.manifest, secrets)
  await writeRecord(join(directory.path, 'result.json'), record, secrets)
}

/** A run that failed by its harness, with what was done about it. */
function attemptRecord({ result, harness, rounds, check }: FailedAttempt): object {
  return { manifest: harness.manifest, run: result, repairs: rounds, ...(check && { check }) }
}
