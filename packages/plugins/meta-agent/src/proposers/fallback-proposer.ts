import { bareSlots, SEEDS } from '../rules/modules.js'
import type { Proposal, Proposer } from './proposer.js'
import { writeManifest } from './write-manifest.js'

/** What is left when no proposal could be assembled: the seed react, then each installed action module alone. */
export const fallbackProposer: Proposer = {
  route: 'fallback',
  isExact: true,
  propose({ catalog }) {
    const seed = describe('react', 'Nothing proposed before could be assembled: the seed react.')
    const bare = catalog.modules('action').map(({ use }): Proposal => {
      const { title, explanation } = describe(use, `Nothing proposed before could be assembled: ${use} alone.`)
      return { manifest: writeManifest(bareSlots(use), title, catalog), explanation }
    })
    return [{ manifest: writeManifest(SEEDS.react, seed.title, catalog), explanation: seed.explanation }, ...bare]
  },
}

function describe(name: string, because: string) {
  return { title: { name, description: because }, explanation: [{ rule: name, applies: true, because }] }
}
