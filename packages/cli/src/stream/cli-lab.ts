import {
  assemble,
  type Catalog,
  type Harness,
  isHarnessError,
  type Limits,
  type Manifest,
  type Origin,
  type RunResult,
} from '@harnesswright/core'
import { isInfrastructureFault } from '@harnesswright/plugin-bench'
import {
  compose,
  extractFeatures,
  type Lab,
  type LabChoice,
  type LabOutcome,
  type Route,
  type TaskFeatures,
} from '@harnesswright/plugin-meta-agent'
import { type OpenedTask, openTask, type TaskSurroundings } from './open-task.js'
import type { CliTask } from './tasks.js'

/** What tasks are done with. */
export interface CliLabOptions {
  readonly catalog: Catalog
  readonly surroundings: TaskSurroundings
  /** Where manifests come from. Default `bank`. */
  readonly origin?: Origin
  readonly signal?: AbortSignal
  /** Called with what was composed for a task, before it runs. */
  readonly onComposed?: (harnessId: string, manifest: Manifest) => void
  /** Judges a run in the place of the checker, from 0 to 1. */
  readonly judge?: (task: CliTask, result: RunResult) => Promise<number>
}

/** Does tasks for real: each in a private workspace with real files and tools, which is removed. */
export function createCliLab(options: CliLabOptions): Lab<CliTask> {
  return {
    async look(task) {
      return await withTask(task, options, featuresOf)
    },
    async run(task, choice, seed) {
      options.signal?.throwIfAborted()
      return await withTask(task, options, (opened) => runOpened({ task, choice, seed, opened }, options))
    },
  }
}

async function withTask<Result>(
  task: CliTask,
  { surroundings }: CliLabOptions,
  work: (opened: OpenedTask) => Result | Promise<Result>,
): Promise<Result> {
  const opened = openTask(task, surroundings)
  try {
    return await work(opened)
  } finally {
    opened.close()
  }
}

function featuresOf({ task, env }: OpenedTask): TaskFeatures {
  return extractFeatures(task, { tools: env.tools, model: env.model(), limits: env.limits })
}

interface OpenedRun {
  readonly task: CliTask
  readonly choice: LabChoice
  readonly seed: number
  readonly opened: OpenedTask
}

/** A harness, and what it cost to come by it. */
interface Ready {
  readonly harness: Harness
  readonly route: Route
  readonly limits: Partial<Limits>
  readonly tokens: number | null
  readonly usd: number | null
  readonly ms: number
}

async function runOpened({ task, choice, seed, opened }: OpenedRun, options: CliLabOptions): Promise<LabOutcome> {
  const { signal, judge } = options
  const ready = await prepare(choice, opened, options)
  if ('end' in ready) return ready
  const { harness, route, limits } = ready
  const run = { seed, limits, ...(signal === undefined ? {} : { signal }) }
  const result = await harness.run(opened.task, run).result
  signal?.throwIfAborted()
  const { status, reason, error, spent, manifestId, harnessId } = result
  const isMasked = error !== undefined && isInfrastructureFault(error.code)
  const reward = isMasked ? null : await (judge === undefined ? opened.check(result) : judge(task, result))
  return {
    reward,
    tokens: add(ready.tokens, add(spent.usage.inputTokens, spent.usage.outputTokens)),
    inputTokens: spent.usage.inputTokens,
    outputTokens: spent.usage.outputTokens,
    usd: roundUsd(add(ready.usd, spent.usd)),
    ms: ready.ms + result.ms,
    steps: spent.steps,
    route,
    manifestId,
    harnessId,
    end: error?.code ?? (status === 'limit' ? (reason ?? status) : status),
  }
}

/** A harness that is ready to run, or the outcome of one that cannot be assembled: it does no task. */
async function prepare(
  { manifest }: LabChoice,
  { task, env }: OpenedTask,
  { catalog, origin = 'bank', signal, onComposed }: CliLabOptions,
): Promise<Ready | LabOutcome> {
  if (manifest === undefined) {
    const composed = await compose(task, { env, catalog, ...(signal === undefined ? {} : { signal }) })
    const { harness, route, limits, spent } = composed
    onComposed?.(harness.harnessId, harness.manifest)
    const tokens = add(spent.usage.inputTokens, spent.usage.outputTokens)
    return { harness, route, limits, tokens, usd: spent.usd, ms: spent.ms }
  }
  try {
    const harness = await assemble(manifest, { catalog, env, origin })
    return { harness, route: 'fixed', limits: {}, tokens: 0, usd: 0, ms: 0 }
  } catch (error) {
    if (!isHarnessError(error)) throw error
    const nothing = { reward: 0, tokens: 0, usd: 0, ms: 0, steps: 0, route: 'fixed' } as const
    return { ...nothing, manifestId: '', harnessId: '', end: error.code }
  }
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

/** Sums of child runs differ in their last bits by who ends first. */
function roundUsd(usd: number | null): number | null {
  return usd === null ? null : Math.round(usd * 1e9) / 1e9
}
