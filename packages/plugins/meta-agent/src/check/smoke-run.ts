import {
  assemble,
  type Catalog,
  createEnvironment,
  type Environment,
  type Manifest,
  type ModelRequest,
  type RunResult,
} from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { type CheckProblem, coded, errorProblem, placedModules } from './problem.js'
import { fakeTools, smokeModel } from './smoke-scene.js'

/** What a smoke run showed. */
export interface SmokeRun {
  /** Empty when the harness ran. */
  readonly problems: readonly CheckProblem[]
  /** Why there was no run: a module that reaches a network or processes is not run to try it. */
  readonly skipped?: string
  /** What was asked of the model, offered, and when the run stopped, as one text. Absent without a run. */
  readonly transcript?: string
  /** Steps of the run. */
  readonly steps: number
}

/** What a manifest is tried with. */
export interface SmokeOptions {
  readonly catalog: Catalog
  /** Its tools are taken for their schemas, and never called; its codecs, skills and host options are used. */
  readonly env: Environment
  readonly signal?: AbortSignal
}

/** Steps that a smoke run may take: the scripted model answers after eight. */
const LIMITS = { steps: 40, tokens: 5_000_000, ms: 3_600_000, toolCalls: 400, usd: Number.POSITIVE_INFINITY } as const

const TASK = 'Look at every part and say what is in the last one. Write nothing down that is not there.'

/**
 * Runs a harness on a scripted model in strict mode, with tools that have the real schemas and do nothing, on a clock of
 * simulated time. No model, file, socket or process is touched. What a module throws is a problem.
 */
export async function smokeRun(manifest: Manifest, { catalog, env, signal }: SmokeOptions): Promise<SmokeRun> {
  const reaching = placedModules(manifest).find(({ use }) => reachesOut(catalog, use))
  if (reaching !== undefined)
    return {
      problems: [],
      skipped: `${reaching.use} reaches a network or processes, and is not run to try it.`,
      steps: 0,
    }
  const tools = fakeTools(env.tools)
  const model = smokeModel(tools, (tool) => tool.owner === undefined || isModest(tool.owner, manifest, catalog))
  const { codecs, skills, hostOptions, countTokens } = env
  const around = { codecs, skills, hostOptions, ...(countTokens === undefined ? {} : { countTokens }) }
  const clock = createVirtualClock()
  const scene = createEnvironment({
    model,
    tools,
    clock,
    strict: true,
    newId: () => 'smoke',
    limits: LIMITS,
    ...around,
  })
  try {
    // Where the manifest comes from was looked at before: here it is taken as it is.
    const harness = await assemble(manifest, { catalog, env: scene, origin: 'host' })
    const run = harness.run(TASK, { seed: 7, ...(signal === undefined ? {} : { signal }) })
    const result = await run.result
    signal?.throwIfAborted()
    return {
      problems: problemsOfRun(result, manifest),
      transcript: transcriptOf(model.requests, result),
      steps: result.steps.length,
    }
  } catch (thrown) {
    signal?.throwIfAborted()
    return { problems: [inSmoke(errorProblem(coded(thrown), manifest))], steps: 0 }
  }
}

function reachesOut(catalog: Catalog, use: string): boolean {
  const authority = catalog.find(use)?.package.description.authority
  return authority === 'network' || authority === 'process'
}

/** Whether the module that brought a tool, told as `<slot>.<index>`, reaches nothing. */
function isModest(owner: string, manifest: Manifest, catalog: Catalog): boolean {
  const [slot, index] = owner.split('.')
  const placed = placedModules(manifest).filter((one) => one.slot === slot)[Number(index)]
  return placed === undefined || catalog.find(placed.use)?.package.description.authority === 'none'
}

function problemsOfRun({ status, reason, error, steps }: RunResult, manifest: Manifest): readonly CheckProblem[] {
  if (error !== undefined) {
    const at = error.step === undefined ? '' : ` at step ${error.step}`
    return [inSmoke(errorProblem({ ...error, hint: 'Choose another module, or other options.' }, manifest), at)]
  }
  // A harness may keep limits of its own; one that goes on where the model has answered has no end.
  const isOver = status === 'answered' || status === 'waiting' || (status === 'limit' && steps.length < LIMITS.steps)
  if (isOver) return []
  const message = `In the smoke run the harness gave no answer where the model gave one: it ended as ${status} (${reason ?? ''}) after ${steps.length} steps.`
  return [
    { code: 'E_COMPOSE_SMOKE', pointer: '/action', message, fix: 'Choose another action module, or other options.' },
  ]
}

function inSmoke(problem: CheckProblem, at = ''): CheckProblem {
  return { ...problem, message: `In the smoke run${at}: ${problem.message}` }
}

/** What there was of it, run by run: which of several at once asks first is chance. */
function transcriptOf(requests: readonly ModelRequest[], { status, reason = '', steps }: RunResult): string {
  const said = requests
    .toSorted(({ session: a = '' }, { session: b = '' }) => (a === b ? 0 : a < b ? -1 : 1))
    .map(({ tools = [], ...rest }) => ({ ...rest, tools: tools.map(({ name }) => name) }))
  return JSON.stringify([said, status, reason, steps.map(({ action, end }) => [action.kind, end?.reason])])
}
