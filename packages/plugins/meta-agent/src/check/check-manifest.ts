import { type AssembleOptions, assemble, type Harness, type Manifest } from '@harnesswright/core'
import type { ModelProbe } from '../model/probe/model-probe.js'
import { checkPrompts } from './check-prompts.js'
import { type DeadPart, deadParts } from './liveness.js'
import { checkProbe } from './probe-fit.js'
import { type CheckProblem, type CheckStage, coded, problemsOf } from './problem.js'
import { smokeRun } from './smoke-run.js'

/** What a manifest is checked with. */
export interface CheckOptions extends AssembleOptions {
  /** What the executor was seen to follow. Default: what it says of itself is believed. */
  readonly probe?: ModelProbe
  /** A run on a scripted model with fake tools in simulated time. Default true. */
  readonly smoke?: boolean
  /** Whether parts that change nothing are looked for, and whether they are refused. Costs a smoke run each. Default `off`. */
  readonly liveness?: 'off' | 'report' | 'refuse'
  readonly signal?: AbortSignal
}

/** A harness that passed every check, or where and why it did not. */
export interface Checked {
  readonly harness?: Harness
  /** The check that failed. */
  readonly stage?: CheckStage
  readonly problems: readonly CheckProblem[]
  /** Parts that change nothing, where they were looked for. */
  readonly dead: readonly DeadPart[]
  /** Checks that were left out, and why. */
  readonly notes: readonly string[]
}

/**
 * Checks a manifest, the cheapest check first: parse, validate, resolve, fit, prompts, smoke run, and parts that change
 * nothing. No model, file, socket or process is touched. What is no fault of the manifest or a module is thrown.
 */
export async function checkManifest(source: Manifest | string, options: CheckOptions): Promise<Checked> {
  const { catalog, env, probe, smoke = true, liveness = 'off', signal } = options
  const failed = (problems: readonly CheckProblem[], stage: CheckStage): Checked => ({
    problems,
    stage,
    dead: [],
    notes: [],
  })
  let harness: Harness
  try {
    harness = await assemble(source, options)
  } catch (thrown) {
    const problems = problemsOf(coded(thrown), source)
    return failed(problems, stageOf(problems))
  }
  const { manifest } = harness
  const misfits = probe === undefined ? [] : checkProbe(manifest, catalog, probe)
  if (misfits.length > 0) return failed(misfits, 'fit')
  const unread = checkPrompts(manifest, catalog, env.model())
  if (unread.length > 0) return failed(unread, 'prompts')
  if (!smoke) return { harness, problems: [], dead: [], notes: [] }
  const scene = { catalog, env, ...(signal === undefined ? {} : { signal }) }
  const { problems, skipped, transcript } = await smokeRun(manifest, scene)
  if (problems.length > 0) return failed(problems, 'smoke')
  const notes = skipped === undefined ? [] : [skipped]
  const dead = liveness === 'off' || transcript === undefined ? [] : await deadParts(manifest, transcript, scene)
  if (liveness !== 'refuse' || dead.length === 0) return { harness, problems: [], dead, notes }
  const refused = dead.map(
    ({ pointer, message, use }): CheckProblem => ({
      code: 'E_COMPOSE_DEAD',
      pointer,
      message,
      fix: 'Leave it out.',
      module: use,
    }),
  )
  return { problems: refused, stage: 'liveness', dead, notes }
}

const TEXT_CODES = /^E_MANIFEST_(JSON|SIZE|DUPLICATE_KEY|FORBIDDEN_KEY)$/
const FIT_CODES = /^E_(PROTOCOL_(REQUIRES|MODEL)|MANIFEST_PROTOCOL)$/

/** The check to which problems belong: the first of those that found one. */
function stageOf(problems: readonly CheckProblem[]): CheckStage {
  const has = (codes: RegExp): boolean => problems.some(({ code }) => codes.test(code))
  if (has(TEXT_CODES)) return 'parse'
  if (has(/^E_MANIFEST_/) && !problems.every(({ code }) => FIT_CODES.test(code))) return 'validate'
  return problems.every(({ code }) => FIT_CODES.test(code)) ? 'fit' : 'resolve'
}
