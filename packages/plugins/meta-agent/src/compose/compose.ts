import type { Catalog, Environment, Manifest, Origin, Task } from '@harnesswright/core'
import { extractFeatures } from '../features/extract-features.js'
import { fallbackProposer } from '../proposers/fallback-proposer.js'
import { createFixedProposer, type SeedName } from '../proposers/fixed-proposer.js'
import type { Explanation, ProposalInput, Proposer } from '../proposers/proposer.js'
import { rulesProposer } from '../proposers/rules-proposer.js'
import type { Attempt, Composition } from './composition.js'
import { nothingError } from './nothing-error.js'
import { tryManifest } from './try-manifest.js'

/** What a composition is made with. */
export interface ComposeOptions {
  /** Its default model, tools and limits are features of the task. */
  readonly env: Environment
  /** What there is to compose from. */
  readonly catalog: Catalog
  /** Who writes the manifest: the table of rules, or the host itself. Default `rules`. */
  readonly proposer?: 'rules' | { readonly fixed: SeedName | Manifest }
  /** Where the manifests come from, which decides what they may name. Default `host`. */
  readonly origin?: Origin
}

/**
 * Turns a task into a harness that can run it, without a model call.
 *
 * Manifests are tried in order until one assembles with this catalog: those of the proposer, then the seed react, then any
 * action module that is installed.
 *
 * @throws HarnessError `E_COMPOSE_NOTHING` when none does, with every attempt in `details.attempts`: most often because no
 * package with an action module is installed.
 */
export async function compose(task: Task | string, options: ComposeOptions): Promise<Composition> {
  const { env, catalog, proposer = 'rules', origin = 'host' } = options
  const given: Task = typeof task === 'string' ? { instruction: task } : task
  const features = extractFeatures(given, { tools: env.tools, model: env.model(), limits: env.limits })
  const first = proposer === 'rules' ? rulesProposer : createFixedProposer(proposer.fixed)
  const attempts: Attempt[] = []
  const explanation: Explanation[] = []
  for await (const { proposal, route } of proposals([first, fallbackProposer], { features, catalog })) {
    const { manifest } = proposal
    explanation.push(...proposal.explanation)
    const { harness, problems } = await tryManifest(manifest, { catalog, env, origin })
    attempts.push({ manifest, route, problems })
    if (harness === undefined) continue
    const { manifestId, harnessId } = harness
    const story = { explanation: Object.freeze(explanation), attempts: Object.freeze(attempts) }
    return Object.freeze({ manifest, harness, route, features, ...story, manifestId, harnessId })
  }
  throw nothingError(attempts, catalog)
}

/** The proposals of each proposer in turn; one that is not reached is not asked. */
async function* proposals(proposers: readonly Proposer[], input: ProposalInput) {
  for (const { route, propose } of proposers) {
    for (const proposal of await propose(input)) yield { proposal, route }
  }
}
