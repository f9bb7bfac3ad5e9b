import type { Manifest, Origin } from '@harnesswright/core'
import type { CheckProblem, CheckStage } from '../check/problem.js'
import type { Route } from '../proposers/route.js'
import type { RepairRound } from '../repair/repair-manifest.js'

/** What kept a manifest from becoming a harness. */
export type AttemptProblem = CheckProblem

/** A manifest that was tried, and what became of it. */
export interface Attempt {
  /** As it was proposed. */
  readonly manifest: Manifest
  readonly route: Route
  /** Where it comes from; repair does not change it. */
  readonly origin: Origin
  /** The check that it failed as it was proposed. */
  readonly stage?: CheckStage
  /** What was wrong with it as it was proposed. Empty when it passed every check. */
  readonly problems: readonly AttemptProblem[]
  /** What was done about it, round by round. Empty when nothing was. */
  readonly repairs: readonly RepairRound[]
  /** As it was when it was mended. */
  readonly mended?: Manifest
  /** `valid`: it passed every check, mended or not. `taken`: it is the harness. */
  readonly outcome: 'failed' | 'valid' | 'taken'
}
