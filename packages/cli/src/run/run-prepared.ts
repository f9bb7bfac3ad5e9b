import type { Harness, Run, RunResult } from '@harnesswright/core'
import { type ComposeSpent, type RepairRound, runComposed } from '@harnesswright/plugin-meta-agent'
import { addSpent } from '../output/composing.js'
import type { CheckReport, Composing, EarlierRun } from '../output/outcome.js'
import { inVainLines, mendedLines } from '../output/repair-text.js'
import { cleanLine } from '../text/clean.js'
import { checkResult } from './check-result.js'
import { earlierRunOf } from './earlier-runs.js'
import type { RunSession } from './execute-run.js'
import type { PreparedRun, RepairingParts } from './prepare-run.js'

/** A run of the task that ended by an exception of its harness, which was mended then. */
export interface FailedAttempt {
  readonly result: RunResult
  readonly harness: Harness
  /** What was done about it. */
  readonly rounds: readonly RepairRound[]
  /** The verdict on what it left, where the task has a checker. */
  readonly check?: CheckReport
}

/** A task that was run to its end. */
export interface RanTask {
  /** The last run, with its harness. */
  readonly run: Run
  readonly result: RunResult
  readonly harness: Harness
  /** The runs before it. */
  readonly attempts: readonly FailedAttempt[]
  /** What is told of those before it, also where this run went on in another process. */
  readonly earlier?: readonly EarlierRun[]
  /** What a model spent on composing and mending. */
  readonly composing?: Composing
}

/** Runs a task to its end. A harness that was composed for it and throws is mended, and runs it again, in the workspace as it is then. */
export async function runPrepared(prepared: PreparedRun, session: RunSession, signal: AbortSignal): Promise<RanTask> {
  const { chosen, repairing } = prepared
  if (repairing !== undefined) return await runRepairing(prepared, repairing, { session, signal })
  const { harness, earlier, composing } = chosen
  const run = await prepared.start(signal)
  const told = { ...(earlier && { earlier }), ...(composing && { composing }) }
  return { run, result: await run.result, harness, attempts: [], ...told }
}

interface Surroundings {
  readonly session: RunSession
  readonly signal: AbortSignal
}

async function runRepairing(
  { chosen, env, workspace }: PreparedRun,
  { repairers, composer, keep }: RepairingParts,
  { session, signal }: Surroundings,
): Promise<RanTask> {
  const { packages, rng, screen } = session
  const attempts: FailedAttempt[] = []
  const say = (lines: readonly string[]): void => {
    for (const line of lines) screen.line(cleanLine(line, 500))
  }
  const sum = (spent: ComposeSpent): Composing | undefined => addSpent(chosen.composing, spent, composer)
  let last: Run | undefined
  const { result, harness, repairs, spent } = await runComposed(
    workspace.task,
    { harness: chosen.harness, origin: chosen.origin, limits: chosen.limits ?? {} },
    {
      env,
      catalog: packages.catalog,
      repairers,
      seed: rng,
      signal,
      onRun: (run) => {
        last = run
      },
      async onMended({ result: failed, failed: threw, rounds, harness: next, spent: mending }) {
        const check = await checkResult(failed, session.given, workspace)
        const attempt = { result: failed, harness: threw, rounds, ...(check === undefined ? {} : { check }) }
        attempts.push(attempt)
        say(mendedLines(attempt, next))
        keep(attempts.map(earlierRunOf), sum(mending))
      },
    },
  )
  const done = attempts.reduce((count, { rounds }) => count + rounds.length, 0)
  say(inVainLines(repairs.slice(done), harness.manifest.name))
  const [earlier, composing] = [attempts.map(earlierRunOf), sum(spent)]
  const told = { ...(earlier.length > 0 && { earlier }), ...(composing && { composing }) }
  return { run: last as Run, result, harness, attempts, ...told } // it has run once at least
}
