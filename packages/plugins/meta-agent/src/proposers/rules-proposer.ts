import type { TaskFeatures } from '../features/task-features.js'
import type { Rule } from '../rules/rule.js'
import { RULES } from '../rules/rules.js'
import type { Explanation, Proposer } from './proposer.js'
import { writeManifest } from './write-manifest.js'

/** Proposes the manifest of every row that applies, in the order of the table. */
export const rulesProposer: Proposer = {
  route: 'rules',
  *propose({ features, catalog }) {
    let looked: Explanation[] = []
    for (const rule of RULES) {
      const row = explainRule(rule, features)
      looked.push(row)
      if (!row.applies) continue
      const title = { name: rule.name, description: row.because }
      yield { manifest: writeManifest(rule.manifest(features), title, catalog), explanation: looked }
      looked = []
    }
  },
}

function explainRule({ name, when, because }: Rule, features: TaskFeatures): Explanation {
  return { rule: name, applies: when(features), because: because(features) }
}
