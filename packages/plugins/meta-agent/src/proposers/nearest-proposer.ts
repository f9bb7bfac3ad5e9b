import { measuresText } from '../model/prompt/references-text.js'
import type { Proposer } from './proposer.js'

/**
 * Proposes what a bank has for the kinds of tasks nearest to this one, the nearest first and as it is, of origin `bank`: the
 * `references` of the composition that are no mere examples. No model is asked.
 */
export const nearestProposer: Proposer = {
  route: 'nearest',
  isExact: true,
  propose({ references }) {
    const proven = references.filter(({ isExample }) => isExample !== true)
    if (proven.length === 0) return references.length === 0 ? [] : [NOTHING_PROVEN]
    return proven.map(({ manifest, why, measured }) => {
      const because = `${manifest.name}: ${why} (${measuresText(measured)})`
      return { manifest, origin: 'bank', explanation: [{ rule: 'nearest', applies: true, because }] }
    })
  },
}

const NOTHING_PROVEN = {
  explanation: [
    {
      rule: 'nearest',
      applies: false,
      because: 'Nothing of the bank proved itself on such tasks with the model that is to run this one.',
    },
  ],
}
