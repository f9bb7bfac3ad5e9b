import type { Catalog, Environment, Manifest, ModelRequest, Origin, Task } from '@harnesswright/core'
import type { Attempt } from '../compose/attempt.js'
import type { HarnessReference } from '../compose/reference.js'
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
  /** Harnesses of a bank, the nearest first; at most twenty. */
  readonly references: readonly HarnessReference[]
  /** How many manifests are wanted. A proposer may give fewer, or more. */
  readonly count: number
  /** Counts what model calls cost. */
  readonly spending: Spending
  readonly signal?: AbortSignal
}

/** How likely a model found what it wrote. */
export interface Likelihood {
  /** Sum of the log-probabilities of its tokens. */
  readonly sum: number
  readonly tokens: number
}

/** What a model wrote, and to which request. */
export interface Written {
  readonly request: ModelRequest
  readonly content: string
}

/** One manifest to try, and what was looked at since the one before. */
export interface Proposal {
  /** Absent: nothing can be tried, and the explanation says why. */
  readonly manifest?: Manifest
  /** Default: that of the composition. */
  readonly origin?: Origin
  readonly analysis?: TaskAnalysis
  readonly likelihood?: Likelihood
  /** Where a model wrote it: by this a model can say how likely it finds it. */
  readonly written?: Written
  readonly explanation: readonly Explanation[]
}

/** Writes manifests for a task, the best first. They are checked as they come; what fails may be repaired. */
export interface Proposer {
  readonly route: Route
  /** What it writes is tried as it is: its problems are told, and not mended. Default false. */
  readonly isExact?: boolean
  /** The manifests, each when it is asked for: what is not looked at need not be made. */
  propose(input: ProposalInput): AsyncIterable<Proposal> | Iterable<Proposal>
}
