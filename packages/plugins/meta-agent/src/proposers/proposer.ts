import type { Catalog, Environment, Manifest, Origin, Task } from '@harnesswright/core'
import type { Attempt } from '../compose/attempt.js'
import type { TaskFeatures } from '../features/task-features.js'
import type { Spending } from '../model/spending.js'
import type { Route } from './route.js'
import type { TaskAnalysis } from './task-analysis.js'

/** A row that was looked at, or what a model proposed. */
export interface Explanation {
  readonly rule: string
  readonly applies: boolean
  /** The facts that decided. */
  readonly because: string
}

/** What a proposer is given. */
export interface ProposalInput {
  readonly task: Task
  readonly features: TaskFeatures
  readonly catalog: Catalog
  readonly env: Environment
  /** What was tried so far, and why it failed. It grows while proposals are taken. */
  readonly attempts: readonly Attempt[]
  /** Counts what model calls cost. */
  readonly spending: Spending
  readonly signal?: AbortSignal
}

/** One manifest to try, and what was looked at since the one before. */
export interface Proposal {
  /** Absent: nothing can be tried, and the explanation says why. */
  readonly manifest?: Manifest
  /** Default: that of the composition. */
  readonly origin?: Origin
  readonly analysis?: TaskAnalysis
  readonly explanation: readonly Explanation[]
}

/** Writes manifests for a task, the best first. They are tried as they come; the first that assembles is the harness. */
export interface Proposer {
  readonly route: Route
  propose(input: ProposalInput): AsyncIterable<Proposal> | Iterable<Proposal>
}
