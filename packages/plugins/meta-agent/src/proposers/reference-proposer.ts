import type { HarnessReference } from '../compose/reference.js'
import { measuresText } from '../model/prompt/references-text.js'
import type { Proposer } from './proposer.js'

/** Proposes what was retrieved from a bank, the nearest first, as it is: the way out when nothing that was proposed passes. */
export function createReferenceProposer(references: readonly HarnessReference[]): Proposer {
  return {
    route: 'nearest',
    isExact: true,
    *propose() {
      for (const { manifest, why, measured } of references) {
        const because = `Nothing proposed before passed; ${why} (${measuresText(measured)}).`
        yield { manifest, origin: 'bank', explanation: [{ rule: 'reference', applies: true, because }] }
      }
    },
  }
}
