import type { Harness, Manifest } from '@harnesswright/core'
import type { TaskFeatures } from '../features/task-features.js'
import type { Explanation, Route } from '../proposers/proposer.js'

/** What kept a manifest from being assembled. */
export interface AttemptProblem {
  readonly code: string
  /** RFC 6901 pointer into the manifest; '' is the whole of it. */
  readonly pointer: string
  readonly message: string
  readonly fix: string
}

/** A manifest that was tried. */
export interface Attempt {
  readonly manifest: Manifest
  readonly route: Route
  /** Empty for the one that was taken, which is the last. */
  readonly problems: readonly AttemptProblem[]
}

/** A harness made for a task, and how it came about. */
export interface Composition {
  readonly manifest: Manifest
  /** Assembled and ready to run. */
  readonly harness: Harness
  /** Where the manifest came from: `fallback` when nothing that was proposed could be assembled. */
  readonly route: Route
  readonly features: TaskFeatures
  /** Every row that was looked at, in order, up to the one that was taken. */
  readonly explanation: readonly Explanation[]
  /** Every manifest that was tried, in order. */
  readonly attempts: readonly Attempt[]
  /** Identity of what was configured: `sha256:` and 64 hex digits. */
  readonly manifestId: string
  /** Identity of what runs: the manifest and the exact code of every package. */
  readonly harnessId: string
}
