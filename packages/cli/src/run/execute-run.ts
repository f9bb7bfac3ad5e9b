import type { StopSignal } from '../io.js'
import type { MadeModel } from '../models/make-model.js'
import type { Outcome } from '../output/outcome.js'
import { Progress } from '../output/progress.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import type { GivenTask } from '../task/read-task.js'
import { concludeRun } from './conclude-run.js'
import type { Host } from './host.js'
import type { PreparedRun } from './prepare-run.js'
import { type FailedAttempt, type RanTask, runPrepared } from './run-prepared.js'

/** What a run is executed with, whether it begins or goes on. */
export interface RunSession extends Host, MadeModel {
  readonly packages: ProjectPackages
  readonly rng: number
  readonly given: GivenTask
}

/** A run that came to its end. */
export interface ExecutedRun {
  readonly outcome: Outcome
  /** The signal that ended it. */
  readonly signal?: StopSignal
  /** Time of the computer's clock in ms. */
  readonly elapsedMs: number
  readonly directory: PreparedRun['directory']
  readonly chosen: PreparedRun['chosen']
  /** Runs before it, which failed by their harness. */
  readonly attempts: readonly FailedAttempt[]
}

/** How a run is made and shown. */
export interface ExecuteOptions {
  readonly prepare: () => Promise<PreparedRun>
  /** Called once the harness is there, before the run starts. */
  readonly onReady?: (prepared: PreparedRun) => void
}

/** Makes a harness, runs the task, checks what came of it and keeps the records. A signal ends the run. */
export async function executeRun(session: RunSession, { prepare, onReady }: ExecuteOptions): Promise<ExecutedRun> {
  const { io } = session
  const startedAt = io.now()
  const interruption = new AbortController()
  let signal: StopSignal | undefined
  const stopListening = io.onSignal((received) => {
    signal ??= received
    interruption.abort(`interrupted by ${received}`)
  })
  try {
    const prepared = await prepare()
    try {
      onReady?.(prepared)
      const ran = await watchRun(prepared, session, interruption.signal)
      const outcome = await concludeRun({ ran, session, prepared })
      const elapsedMs = io.now() - startedAt
      const { directory, chosen } = prepared
      return {
        outcome,
        elapsedMs,
        directory,
        chosen,
        attempts: ran.attempts,
        ...(signal === undefined ? {} : { signal }),
      }
    } finally {
      await prepared.release()
    }
  } finally {
    await session.close?.()
    stopListening()
  }
}

/** Runs the task to its end; every event is told and kept. */
async function watchRun(prepared: PreparedRun, session: RunSession, signal: AbortSignal): Promise<RanTask> {
  const { io, screen, model } = session
  const { tap, traces } = prepared
  const progress = new Progress({ screen, model, now: () => io.now() })
  tap.watch([...traces.map((trace) => trace.write), (event) => progress.event(event)])
  try {
    return await runPrepared(prepared, session, signal)
  } finally {
    tap.stop()
    screen.clear()
    for (const trace of traces) trace.close()
  }
}
