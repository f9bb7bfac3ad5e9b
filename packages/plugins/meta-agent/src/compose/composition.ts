import type { Harness, Limits, Manifest } from '@harnesswright/core'
import type { TaskFeatures } from '../features/task-features.js'
import type { ComposeSpent } from '../model/spending.js'
import type { Explanation } from '../proposers/proposer.js'
import type { Route } from '../proposers/route.js'
import type { TaskAnalysis } from '../proposers/task-analysis.js'
import type { Attempt } from './attempt.js'

/** A harness made for a task, and how it came about. */
export interface Composition {
  readonly manifest: Manifest
  /** Assembled and ready to run. */
  readonly harness: Harness
  /** Where the manifest came from: `fallback` when nothing that was proposed could be assembled. */
  readonly route: Route
  readonly features: TaskFeatures
  /** What the model said of the task and expects of the harness, where a model wrote it. It is in the manifest's metadata too. */
  readonly analysis?: TaskAnalysis
  /** Every row and candidate that was looked at, in order, up to the one that was taken. */
  readonly explanation: readonly Explanation[]
  /** Every manifest that was tried, in order. */
  readonly attempts: readonly Attempt[]
  /** What composing cost. It counts with the run. */
  readonly spent: ComposeSpent
  /** What composing left of the limits: for `harness.run(task, { limits })`. Empty when no model was asked. */
  readonly limits: Partial<Limits>
  /** Identity of what was configured: `sha256:` and 64 hex digits. */
  readonly manifestId: string
  /** Identity of what runs: the manifest and the exact code of every package. */
  readonly harnessId: string
}
