import { measuresText } from '../model/prompt/references-text.js'
import type { Proposer } from './proposer.js'

/**
 * Proposes what a bank has for the kinds of tasks nearest to this one, the nearest first and as it is, of origin `bank`: the
 * champions are the `references` of the composition. No model is asked.
 */
export const nearestProposer: Proposer = {
  route: 'nearest',
  isExact: true,
  propose({ references }) {
    return references.map(({ manifest, why, measured }) => {
      const because = `${why} (${measuresText(measured)})`
      return { manifest, origin: 'bank', explanation: [{ rule: 'nearest', applies: true, because }] }
    })
  },
}
