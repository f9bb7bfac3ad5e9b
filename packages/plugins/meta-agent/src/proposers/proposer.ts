import type { Catalog, Manifest } from '@harnesswright/core'
import type { TaskFeatures } from '../features/task-features.js'

/** How a manifest came about. */
export type Route = 'rules' | 'fixed' | 'fallback'

/** A row that was looked at. */
export interface Explanation {
  readonly rule: string
  readonly applies: boolean
  /** The facts that decided. */
  readonly because: string
}

/** What a proposer is given. */
export interface ProposalInput {
  readonly features: TaskFeatures
  readonly catalog: Catalog
}

/** One manifest to try, and what was looked at since the one before. */
export interface Proposal {
  readonly manifest: Manifest
  readonly explanation: readonly Explanation[]
}

/** Writes manifests for a task, the best first. They are tried in order; the first that assembles is the harness. */
export interface Proposer {
  readonly route: Route
  propose(input: ProposalInput): Promise<readonly Proposal[]>
}
