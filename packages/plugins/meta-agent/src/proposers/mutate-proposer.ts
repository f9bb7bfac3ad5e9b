import type { Manifest } from '@harnesswright/core'
import { listMutations, type MutationOptions } from './mutations.js'
import type { Proposer } from './proposer.js'
import { shuffle } from './shuffle.js'

/** What is mutated, and how. */
export interface MutateOptions extends Omit<MutationOptions, 'catalog'> {
  readonly parent: Manifest
  /** The random seed: the same one proposes the same. Default 1. */
  readonly rng?: number
  /** Most proposals. Default 3. */
  readonly count?: number
}

/** Proposes manifests one step away from a parent, of origin `bank`, in an order that depends on the random seed. No model is asked. */
export function createMutateProposer({ parent, rng = 1, count = 3, ...options }: MutateOptions): Proposer {
  return {
    route: 'mutate',
    propose({ catalog }) {
      const all = shuffle(listMutations(parent, { ...options, catalog }), rng)
      return all.slice(0, count).map(({ manifest, change }) => {
        const because = `One step from ${parent.name}: ${change}.`
        return { manifest, origin: 'bank', explanation: [{ rule: 'mutate', applies: true, because }] }
      })
    },
  }
}
