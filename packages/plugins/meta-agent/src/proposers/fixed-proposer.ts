import type { Manifest } from '@harnesswright/core'
import { SEEDS } from '../rules/modules.js'
import type { Proposer } from './proposer.js'
import { writeManifest } from './write-manifest.js'

/** A seed by its name. */
export type SeedName = keyof typeof SEEDS

/** Proposes one manifest whatever the task is: a seed, or a manifest at hand. */
export function createFixedProposer(fixed: SeedName | Manifest): Proposer {
  return {
    route: 'fixed',
    isExact: true, // what is compared with must be what it is said to be
    propose({ catalog }) {
      const manifest = typeof fixed === 'string' ? writeManifest(SEEDS[fixed], titleOf(fixed), catalog) : fixed
      const because = 'The host asked for this manifest, whatever the task is.'
      return [
        { manifest, explanation: [{ rule: typeof fixed === 'string' ? fixed : fixed.name, applies: true, because }] },
      ]
    },
  }
}

function titleOf(seed: SeedName): { readonly name: string; readonly description: string } {
  return { name: seed, description: `The seed ${seed} as it is published.` }
}
