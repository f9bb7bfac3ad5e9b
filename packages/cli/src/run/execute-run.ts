import { join } from 'node:path'
import type { RunResult } from '@harnesswright/core'
import type { StopSignal } from '../io.js'
import { type CheckReport, type Outcome, toJsonObject } from '../output/outcome.js'
import { Progress } from '../output/progress.js'
import type { HeldRun } from './least-limit.js'
import { limitAdvice } from './limit-advice.js'
import { type PreparedRun, prepareRun } from './prepare-run.js'
import { type TraceFile, writeRecord } from './run-store.js'
import type { Session } from './session.js'

/** A run that came to its end. */
export interface ExecutedRun {
  readonly outcome: Outcome
  /** The signal that ended it. */
  readonly signal?: StopSignal
  /** Time of the computer's clock in ms. */
  readonly elapsedMs: number
  /** Where its records are. */
  readonly directory: string
}

/** How a run is shown. */
export interface ExecuteOptions {
  /** Called once the harness is there, before the run starts. */
  readonly onReady?: (prepared: PreparedRun) => void
}

/** Makes a harness, runs the task, checks what came of it and keeps the records. A signal ends the run. */
export async function executeRun(session: Session, options: ExecuteOptions = {}): Promise<ExecutedRun> {
  const { io } = session
  const startedAt = io.now()
  const interruption = new AbortController()
  let signal: StopSignal | undefined
  const stopListening = io.onSignal((received) => {
    signal ??= received
    interruption.abort(`interrupted by ${received}`)
  })
  try {
    const prepared = await prepareRun(session)
    options.onReady?.(prepared)
    const result = await watchRun(prepared, session, { ...options, signal: interruption.signal })
    const outcome = await concludeRun(result, session, prepared)
    const elapsedMs = io.now() - startedAt
    return { outcome, elapsedMs, directory: prepared.directory.path, ...(signal === undefined ? {} : { signal }) }
  } finally {
    stopListening()
  }
}

interface WatchOptions extends ExecuteOptions {
  readonly signal: AbortSignal
}

/** Runs the task to its end; every event is told and kept. */
async function watchRun(prepared: PreparedRun, session: Session, options: WatchOptions): Promise<RunResult> {
  const { io, screen, model, rng } = session
  const { tap, chosen, workspace, traces } = prepared
  const { signal } = options
  const progress = new Progress({ screen, model, now: () => io.now() })
  tap.watch([...traces.map((trace) => trace.write), (event) => progress.event(event)])
  try {
    return await chosen.harness.run(workspace.task, { seed: rng, signal }).result
  } finally {
    tap.stop()
    screen.clear()
    for (const trace of traces) trace.close()
  }
}

/** Checks what the run left behind, and keeps the records. */
async function concludeRun(result: RunResult, session: Session, prepared: PreparedRun): Promise<Outcome> {
  const { packages, given, model, fixOf } = session
  const { workspace, chosen, traces } = prepared
  // Of a run that did not come to its end there is nothing to judge.
  const isOver = result.status !== 'aborted' && result.status !== 'waiting'
  const check = isOver ? await given.world?.check(checkInput(result, workspace.readFile)) : undefined
  const fix = result.error && fixOf(result.error.code)
  const advice = await limitAdvice(result, heldRun(session, prepared))
  workspace.opened.close()
  const outcome: Outcome = {
    result,
    ...(check === undefined ? {} : { check: toReport(check) }),
    model,
    manifest: chosen.harness.manifest,
    route: chosen.route,
    trace: (traces.at(-1) as TraceFile).path, // there is always that of the run's directory
    warnings: packages.warnings,
    ...(advice === undefined ? {} : { advice }),
    ...(fix === undefined ? {} : { fix }),
  }
  await keepRecords(outcome, session, prepared)
  return outcome
}

function heldRun({ packages, rng }: Session, { chosen, env, workspace }: PreparedRun): HeldRun {
  return { manifest: chosen.harness.manifest, catalog: packages.catalog, env, task: workspace.task, seed: rng }
}

function checkInput({ answer }: RunResult, readFile: (path: string) => Promise<string | undefined>) {
  return answer === null ? { readFile } : { answer, readFile }
}

function toReport({ passed, detail }: CheckReport): CheckReport {
  return { passed, detail }
}

async function keepRecords(outcome: Outcome, session: Session, { directory, chosen }: PreparedRun): Promise<void> {
  const { rng, given, secrets } = session
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
