import { join } from 'node:path'
import { questionsOf, type Run, type RunResult } from '@harnesswright/core'
import { type CheckReport, type Outcome, toJsonObject } from '../output/outcome.js'
import type { RunSession } from './execute-run.js'
import { limitAdvice } from './limit-advice.js'
import type { PreparedRun } from './prepare-run.js'
import { SNAPSHOT, type TraceFile, writeRecord } from './run-store.js'

/** A run that has come to its end, with all that it was made of. */
export interface EndedRun {
  readonly run: Run
  readonly result: RunResult
  readonly session: RunSession
  readonly prepared: PreparedRun
}

/** Checks what a run left behind, and keeps the records. */
export async function concludeRun(ended: EndedRun): Promise<Outcome> {
  const { result, session, prepared } = ended
  const { packages, model, fixOf, rng } = session
  const { workspace, chosen, traces, env } = prepared
  const { manifest } = chosen.harness
  const check = await checkRun(ended)
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
    ...(chosen.composing === undefined ? {} : { composing: chosen.composing }),
    trace: (traces.at(-1) as TraceFile).path, // there is always that of the run's directory
    warnings: packages.warnings,
    ...(advice === undefined ? {} : { advice }),
    ...(fix === undefined ? {} : { fix }),
    ...kept,
  }
  await keepRecords(outcome, ended)
  return outcome
}

/** The verdict of the checker. Of a run that is not over there is nothing to judge. */
async function checkRun({ result, session, prepared }: EndedRun): Promise<CheckReport | undefined> {
  const { world } = session.given
  if (world === undefined || isOpen(result)) return undefined
  const { answer } = result
  const { readFile } = prepared.workspace
  const { passed, reward, detail } = await world.check(answer === null ? { readFile } : { answer, readFile })
  return { passed, reward, detail }
}

/** A run that goes on when it is resumed. */
function isOpen({ status }: RunResult): boolean {
  return status === 'aborted' || status === 'waiting'
}

/** Writes the snapshot of a run that may go on; there is none when it is over, or had not begun. */
async function keepSnapshot({
  run,
  result,
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

async function keepRecords(outcome: Outcome, { session, prepared }: EndedRun): Promise<void> {
  const { rng, given, secrets } = session
  const { directory, chosen } = prepared
  const record = {
    rng,
    task: given.task,
    explanation: chosen.explanation,
    ...toJsonObject(outcome),
    run: outcome.result,
  }
  await writeRecord(join(directory.path, 'manifest.json'), outcome.manifest, secrets)
  await writeRecord(join(directory.path, 'result.json'), record, secrets)
}
