import type { Catalog, Environment, Harness, Limits, Manifest, Origin, Run, RunResult, Task } from '@harnesswright/core'
import { type CheckProblem, errorProblem } from '../check/problem.js'
import { type ComposeSpent, Spending } from '../model/spending.js'
import { type RepairRound, repairManifest } from '../repair/repair-manifest.js'
import type { Repairer } from '../repair/repairer.js'
import { createRulesRepairer } from '../repair/rules/rules-repairer.js'
import type { Composition } from './composition.js'

/** How a composed harness is run. */
export interface RunComposedOptions {
  readonly env: Environment
  readonly catalog: Catalog
  /** Default: the rules alone. */
  readonly repairers?: readonly Repairer[]
  /** Runs at most: the first, and one after each repair. Default 3. */
  readonly runs?: number
  /** Random seed of every run. Default 1. */
  readonly seed?: number
  readonly signal?: AbortSignal
  /** Called with each run when it begins: for its events. */
  readonly onRun?: (run: Run) => void
  /** Called when a run ended by an exception of the harness and the manifest is mended, before it runs again. */
  readonly onMended?: (mended: MendedRun) => void | Promise<void>
}

/** A run that ended by an exception of the harness, and what was done about it. */
export interface MendedRun {
  readonly result: RunResult
  /** The harness that threw. */
  readonly failed: Harness
  readonly rounds: readonly RepairRound[]
  /** The harness that runs next. */
  readonly harness: Harness
  /** What mending cost, of this run and of those before it. */
  readonly spent: ComposeSpent
}

/** What came of it. */
export interface ComposedRun {
  /** Of the last run. */
  readonly result: RunResult
  /** The harness of the last run. */
  readonly harness: Harness
  /** What the runs before it came to. */
  readonly before: readonly RunResult[]
  /** What was done about their exceptions. */
  readonly repairs: readonly RepairRound[]
  /** What mending cost. It counts with the runs. */
  readonly spent: ComposeSpent
}

/**
 * Runs a composed harness. When it ends by an exception of the harness itself, the manifest is mended and runs once more with
 * what is left of the limits; what a tool has done by then stays done. A low score, a limit, a model that fails or an answer that is
 * wrong is no exception, and nothing of a task but its record has a part in repair. When it is aborted while it is mended, the result
 * is that of the run that failed.
 */
export async function runComposed(
  task: Task | string,
  composition: Pick<Composition, 'harness' | 'limits' | 'origin'>,
  options: RunComposedOptions,
): Promise<ComposedRun> {
  const { runs = 3, env, onMended } = options
  const spending = new Spending()
  const before: RunResult[] = []
  const repairs: RepairRound[] = []
  let { harness } = composition
  let mendingMs = 0
  const started = env.clock.now()
  for (;;) {
    const ms = env.clock.now() - started
    const limits =
      before.length === 0 ? composition.limits : leftOf({ ...env.limits, ...composition.limits }, before, spending, ms)
    const result = await runOnce(harness, task, limits, options)
    const fault = harnessFault(result, harness.manifest)
    const ended = env.clock.now()
    const isOver = fault === undefined || before.length + 1 >= runs
    const mended = isOver
      ? undefined
      : await mendOrAbort(harness.manifest, fault, composition.origin, { ...options, spending })
    mendingMs += env.clock.now() - ended
    repairs.push(...(mended?.rounds ?? []))
    const spent = spending.total(mendingMs)
    if (mended?.harness === undefined) return { result, harness, before, repairs, spent }
    await onMended?.({ result, failed: harness, rounds: mended.rounds, harness: mended.harness, spent })
    before.push(result)
    harness = mended.harness
  }
}

async function runOnce(
  harness: Harness,
  task: Task | string,
  limits: Partial<Limits>,
  { seed = 1, signal, onRun }: RunComposedOptions,
): Promise<RunResult> {
  const run = harness.run(task, { seed, limits, ...(signal === undefined ? {} : { signal }) })
  onRun?.(run)
  return await run.result
}

/** What the harness itself did wrong in a run, if it ended by that. Models, tools, limits and answers are none of it. */
export function harnessFault({ status, error }: RunResult, manifest: Manifest): CheckProblem | undefined {
  if (status !== 'failed' || error === undefined) return undefined
  const isHarness = /^E_(PROTOCOL_|RUN_(MODULE|PROMPT)$)/.test(error.code)
  if (!isHarness || error.module === undefined) return undefined
  return errorProblem({ ...error, hint: 'Choose other options, or another module.' }, manifest)
}

/** What mending came to; undefined where it was aborted. */
async function mendOrAbort(...given: Parameters<typeof mend>): Promise<Awaited<ReturnType<typeof mend>> | undefined> {
  const [, , , { signal }] = given
  try {
    return await mend(...given)
  } catch (error) {
    if (signal?.aborted === true) return undefined
    throw error
  }
}

async function mend(
  manifest: Manifest,
  fault: CheckProblem,
  origin: Origin,
  {
    env,
    catalog,
    repairers = [createRulesRepairer()],
    spending,
    signal,
  }: RunComposedOptions & { readonly spending: Spending },
): Promise<{ readonly harness: Harness | undefined; readonly rounds: readonly RepairRound[] }> {
  const around = { env, catalog, origin, spending, repairers, ...(signal === undefined ? {} : { signal }) }
  const { checked, rounds } = await repairManifest(manifest, [fault], around)
  return { harness: checked.harness, rounds }
}

/** What runs and repairs left of limits. */
function leftOf(limits: Limits, before: readonly RunResult[], spending: Spending, ms: number): Partial<Limits> {
  const sum = (of: (result: RunResult) => number): number => before.reduce((total, one) => total + of(one), 0)
  const left = { ...limits, ...spending.left(limits, 0) }
  return {
    steps: Math.max(0, limits.steps - sum(({ spent }) => spent.steps)),
    tokens: Math.max(0, left.tokens - sum(({ spent }) => spent.tokens)),
    toolCalls: Math.max(0, limits.toolCalls - sum(({ spent }) => spent.toolCalls)),
    usd: Math.max(0, left.usd - sum(({ spent }) => spent.usd ?? 0)),
    ms: Math.max(0, limits.ms - ms),
  }
}
