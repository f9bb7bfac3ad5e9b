import type { Harness, Manifest, Origin, Task } from '@harnesswright/core'
import { type CheckOptions, checkManifest } from '../check/check-manifest.js'
import type { DeadPart } from '../check/liveness.js'
import type { TaskFeatures } from '../features/task-features.js'
import type { ModelProbe } from '../model/probe/model-probe.js'
import type { Spending } from '../model/spending.js'
import type { Explanation, Proposal, Proposer } from '../proposers/proposer.js'
import type { Route } from '../proposers/route.js'
import type { TaskAnalysis } from '../proposers/task-analysis.js'
import { repairManifest } from '../repair/repair-manifest.js'
import type { Repairer } from '../repair/repairer.js'
import { firstOf, type SelectCandidate, type Selection, type SelectName, type Selector } from '../select/selector.js'
import type { Attempt } from './attempt.js'
import type { ComposeOptions } from './compose-options.js'
import type { HarnessReference } from './reference.js'

/** A proposer and what is done with what it proposes. */
export interface Stage {
  readonly proposer: Proposer
  /** Manifests that are wanted of it. */
  readonly count: number
  /** Who mends what fails. */
  readonly repairers: readonly Repairer[]
  /** The one that was asked for: of what it gives one is chosen. */
  readonly isChosen: boolean
  /** The way out: what can be assembled is taken. */
  readonly isLast?: boolean
}

/** What a composition is in the middle of. */
export interface Composing {
  readonly task: Task
  readonly features: TaskFeatures
  readonly references: readonly HarnessReference[]
  readonly attempts: Attempt[]
  readonly explanation: Explanation[]
  readonly spending: Spending
  readonly options: ComposeOptions
  readonly probe: ModelProbe | undefined
  readonly select: SelectName
  readonly judge: Selector
}

/** What a stage gave. */
export interface Found {
  readonly harness: Harness
  readonly manifest: Manifest
  readonly route: Route
  readonly origin: Origin
  readonly analysis?: TaskAnalysis
  readonly selection: Selection
  readonly dead: readonly DeadPart[]
  readonly notes: readonly string[]
}

/** A manifest that passed every check, and its place among the attempts. */
interface Valid extends SelectCandidate {
  readonly at: number
  readonly harness: Harness
  readonly origin: Origin
  readonly dead: readonly DeadPart[]
  readonly notes: readonly string[]
}

/** Takes the proposals of a stage, checks and mends them, and chooses one. Undefined when none passes. */
export async function tryStage(stage: Stage, composing: Composing): Promise<Found | undefined> {
  const { attempts, select, judge } = composing
  const { proposer, count, isChosen } = stage
  const isFirst = !isChosen || select === 'first-valid'
  const { valid, failed } = await takeProposals(stage, composing, isFirst ? 1 : count)
  const wanted = isFirst ? 1 : count
  for (const one of failed) {
    if (valid.length >= wanted) break
    const mended = await mend(one, stage, composing)
    if (mended !== undefined) valid.push(mended)
  }
  valid.sort((a, b) => a.at - b.at)
  const [first] = valid
  if (first === undefined) return undefined
  const selection = await choose(valid, { select: isChosen ? select : 'first-valid', judge }, composing)
  const { at, harness, manifest, origin, analysis, dead, notes } = valid[selection.chosen] ?? first
  attempts[at] = { ...(attempts[at] as Attempt), outcome: 'taken' } // it stands there
  const told = analysis === undefined ? {} : { analysis }
  return { harness, manifest, route: proposer.route, origin, ...told, selection, dead, notes }
}

/** A manifest that failed a check, to be mended. */
interface Failed {
  readonly at: number
  readonly proposal: Proposal
  readonly options: CheckOptions
}

async function takeProposals(
  stage: Stage,
  composing: Composing,
  wanted: number,
): Promise<{ readonly valid: Valid[]; readonly failed: readonly Failed[] }> {
  const { task, features, references, attempts, explanation, spending, options } = composing
  const { env, catalog, signal, origin: usual = 'host' } = options
  const { proposer, count } = stage
  const [valid, failed]: [Valid[], Failed[]] = [[], []]
  const around = { task, features, references, catalog, env, attempts, spending, count }
  for await (const given of proposer.propose({ ...around, ...(signal && { signal }) })) {
    signal?.throwIfAborted()
    explanation.push(...given.explanation)
    if (given.manifest === undefined) continue
    const manifest = withCodec(given.manifest, proposer.route, composing.probe)
    const [proposal, origin, at] = [{ ...given, manifest }, given.origin ?? usual, attempts.length]
    const checking = checkOptionsOf(stage, composing, origin)
    const { harness, stage: failedAt, problems, dead, notes } = await checkManifest(manifest, checking)
    const told = failedAt === undefined ? {} : { stage: failedAt }
    const outcome = harness === undefined ? 'failed' : 'valid'
    attempts.push({ manifest, route: proposer.route, origin, ...told, problems, repairs: [], outcome })
    if (harness === undefined) failed.push({ at, proposal, options: checking })
    else valid.push({ ...candidateOf(proposal, manifest), at, harness, origin, dead, notes })
    if (valid.length >= wanted) break
  }
  // Rows of a table come best first; of what a model wrote that with the fewest problems is the nearest to pass.
  const order = ({ at }: Failed): number => (proposer.route === 'model' ? (attempts[at]?.problems.length ?? 0) : 0)
  return { valid, failed: failed.toSorted((a, b) => order(a) - order(b) || a.at - b.at) }
}

/** What assembles is enough for the way out. */
function checkOptionsOf({ isLast = false }: Stage, { options, probe }: Composing, origin: Origin): CheckOptions {
  const { env, catalog, signal, granted, smoke = true, liveness = 'off' } = options
  const common = { env, catalog, origin, ...(granted && { granted }), ...(signal && { signal }) }
  if (isLast) return { ...common, smoke: false }
  return { ...common, smoke, liveness, ...(probe && { probe }) }
}

/** A model that follows the codec json and makes no calls of its own is asked in that codec, unless the host said otherwise. */
function withCodec(manifest: Manifest, route: Route, probe: ModelProbe | undefined): Manifest {
  const isOpen = manifest.codec === undefined || manifest.codec === 'auto'
  const isNeeded = probe?.hasTools === true && probe.native === false && probe.json === true
  return route !== 'fixed' && isOpen && isNeeded ? { ...manifest, codec: 'json' } : manifest
}

function candidateOf({ analysis, likelihood, written }: Proposal, manifest: Manifest): SelectCandidate {
  return { manifest, ...(analysis && { analysis }), ...(likelihood && { likelihood }), ...(written && { written }) }
}

async function mend(
  { at, proposal, options }: Failed,
  { proposer, repairers }: Stage,
  { attempts, spending }: Composing,
): Promise<Valid | undefined> {
  const attempt = attempts[at] as Attempt // it stands there
  if (proposer.isExact === true || repairers.length === 0) return undefined
  const { checked, rounds } = await repairManifest(attempt.manifest, attempt.problems, {
    ...options,
    repairers,
    spending,
  })
  const { harness, dead, notes } = checked
  const mended = harness?.manifest
  attempts[at] = { ...attempt, repairs: rounds, ...(mended && { mended, outcome: 'valid' as const }) }
  if (harness === undefined || mended === undefined) return undefined
  return { ...candidateOf(proposal, mended), at, harness, origin: attempt.origin, dead, notes }
}

async function choose(
  valid: readonly Valid[],
  { select, judge }: Pick<Composing, 'select' | 'judge'>,
  { task, references, spending, options }: Composing,
): Promise<Selection> {
  const { catalog, env, signal } = options
  if (select === 'first-valid') return firstOf(select, valid, 'It is the first that passed every check.')
  if (valid.length === 1) return firstOf(select, valid, 'No other candidate passed every check.')
  return await judge(valid, { task, catalog, env, references, spending, ...(signal && { signal }) })
}
