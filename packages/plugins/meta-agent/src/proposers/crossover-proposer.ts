import type { Manifest } from '@harnesswright/core'
import { listCrossovers } from './crossovers.js'
import type { Proposer } from './proposer.js'
import { shuffle } from './shuffle.js'

/** What is crossed, and how. */
export interface CrossoverOptions {
  /** Two entries. The first gives plugins, codec and limits. */
  readonly parents: readonly [Manifest, Manifest]
  /** The random seed: the same one proposes the same. Default 1. */
  readonly rng?: number
  /** Most proposals. Default 3. */
  readonly count?: number
}

/** Proposes mixtures of two manifests by slot, of origin `bank`, in an order that depends on the random seed. No model is asked. */
export function createCrossoverProposer({ parents: [a, b], rng = 1, count = 3 }: CrossoverOptions): Proposer {
  return {
    route: 'crossover',
    propose({ catalog }) {
      const all = shuffle(listCrossovers(a, b, catalog), rng)
      return all.slice(0, count).map(({ manifest, change }) => {
        const because = `${a.name} with ${change}.`
        return { manifest, origin: 'bank', explanation: [{ rule: 'crossover', applies: true, because }] }
      })
    },
  }
}
