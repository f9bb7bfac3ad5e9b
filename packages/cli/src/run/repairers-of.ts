import { createModelRepairer, createRulesRepairer, type Repairer } from '@harnesswright/plugin-meta-agent'
import type { Composer } from './choose-harness.js'

/** Who mends a manifest: rules where they are sure, then the model that composes, where there is one, then rules that guess. */
export function repairersOf(composer: Pick<Composer, 'made' | 'asking'> | undefined): readonly Repairer[] {
  if (composer === undefined) return [createRulesRepairer()]
  const { made, asking } = composer
  return [createRulesRepairer({ onlySure: true }), createModelRepairer(made.model, asking), createRulesRepairer()]
}
