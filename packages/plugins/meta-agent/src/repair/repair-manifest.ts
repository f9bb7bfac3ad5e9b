import type { Manifest } from '@harnesswright/core'
import { type Checked, type CheckOptions, checkManifest } from '../check/check-manifest.js'
import type { CheckProblem } from '../check/problem.js'
import { Spending } from '../model/spending.js'
import { applyWithin, type PatchOperation } from './patch.js'
import { type RepairCase, repairCase } from './repair-case.js'
import type { Repairer } from './repairer.js'
import { createRulesRepairer } from './rules/rules-repairer.js'

/** One round of corrections: what was wrong, what was done about it, and what was wrong after it. */
export interface RepairRound {
  /** From 1. */
  readonly round: number
  readonly cases: readonly RepairCase[]
  readonly deltas: readonly Delta[]
  /** Problems of the manifest after it; empty when it is mended. */
  readonly left: readonly CheckProblem[]
}

/** What one repairer answered. */
export interface Delta {
  /** Name of the repairer. */
  readonly by: string
  readonly patch: readonly PatchOperation[]
  /** Why the patch was not applied. */
  readonly refused?: string
  /** What the repairer said of it. */
  readonly said?: string
}

/** What a manifest is repaired with. */
export interface RepairOptions extends CheckOptions {
  /** Asked in turn, each for what those before it left. Default: the rules alone. */
  readonly repairers?: readonly Repairer[]
  /** Rounds at most. Default 2. */
  readonly rounds?: number
  /** Counts what model calls cost. */
  readonly spending?: Spending
}

/** What repair came to. */
export interface Repaired {
  /** The manifest as it was left; of the origin that it had. */
  readonly manifest: unknown
  /** The last check of it. Its harness is there when the manifest is mended. */
  readonly checked: Checked
  readonly rounds: readonly RepairRound[]
}

/**
 * Mends a manifest in at most two rounds. Each round tells its repairers what is wrong, applies what of their patches stays
 * within the slots and plugins that hold the problems, and checks again. Limits, packages and protocol are never touched, the
 * origin stays as it is, and no score has a part in it.
 */
export async function repairManifest(
  source: unknown,
  failed: Checked | readonly CheckProblem[],
  options: RepairOptions,
): Promise<Repaired> {
  const { rounds: most = 2, repairers = [createRulesRepairer()], spending = new Spending() } = options
  let checked: Checked = 'problems' in failed ? failed : { problems: failed, dead: [], notes: [] }
  let manifest = source
  const rounds: RepairRound[] = []
  while (checked.problems.length > 0 && rounds.length < most) {
    options.signal?.throwIfAborted()
    const cases = checked.problems.map((problem) => repairCase(problem, manifest))
    const round = rounds.length + 1
    const { deltas, patched } = await askAll(manifest, cases, { ...options, repairers, round, spending })
    if (patched !== undefined) {
      manifest = patched
      checked = await checkManifest(patched as Manifest, options) // whatever it is, it is checked as text
    }
    rounds.push({ round, cases, deltas, left: checked.problems })
    if (patched === undefined) break
  }
  return { manifest, checked, rounds }
}

interface Asking extends RepairOptions {
  readonly repairers: readonly Repairer[]
  readonly round: number
  readonly spending: Spending
}

/** The corrections of all repairers; each is applied to what the one before it left. */
async function askAll(
  manifest: unknown,
  cases: readonly RepairCase[],
  { repairers, round, spending, catalog, env, origin = 'person', granted, signal }: Asking,
): Promise<{ readonly deltas: readonly Delta[]; readonly patched: unknown }> {
  const deltas: Delta[] = []
  const around = { catalog, env, origin, spending, round, ...(granted && { granted }), ...(signal && { signal }) }
  let open = cases.filter(({ within }) => within.length > 0)
  let patched: unknown
  for (const repairer of repairers) {
    if (open.length === 0) break
    const current = patched ?? manifest
    const { patch, covers, said } = await repairer.repair({ ...around, manifest: current, cases: open })
    const told = { by: repairer.name, patch, ...(said === undefined ? {} : { said }) }
    if (patch.length === 0) {
      deltas.push(told)
      continue
    }
    const within = [...new Set(open.flatMap((one) => one.within))]
    const applied = applyWithin(current, patch, { catalog, within, origin, ...(granted && { granted }) })
    deltas.push(applied.refused === undefined ? told : { ...told, refused: applied.refused })
    if (applied.refused !== undefined) continue
    patched = applied.manifest
    open = open.filter((one) => !covers.includes(one))
  }
  return { deltas, patched }
}
