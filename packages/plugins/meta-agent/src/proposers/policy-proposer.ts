import type { Catalog, Manifest, Task } from '@harnesswright/core'
import type { TaskFeatures } from '../features/task-features.js'
import type { Proposer } from './proposer.js'

/** What a policy is shown of a task. */
export interface PolicyInput {
  readonly task: Task
  readonly features: TaskFeatures
  readonly catalog: Catalog
}

/** A trained policy over manifests: it calls no model. */
export interface Policy {
  /** Which checkpoint, for explanations and records. */
  readonly id: string
  /** Manifests for a task, the best first, each with what speaks for it. */
  propose(input: PolicyInput): readonly { readonly manifest: Manifest; readonly because: string }[]
}

/** Proposes what a policy does, of origin `bank`. */
export function createPolicyProposer(policy: Policy): Proposer {
  return {
    route: 'policy',
    propose({ task, features, catalog }) {
      return policy.propose({ task, features, catalog }).map(({ manifest, because }) => ({
        manifest,
        origin: 'bank',
        explanation: [{ rule: `policy ${policy.id}`, applies: true, because }],
      }))
    },
  }
}
