import type { Catalog, Environment, Manifest, Model, Origin, Task } from '@harnesswright/core'
import { extractFeatures } from '../features/extract-features.js'
import { type AskingOptions, checkAsking } from '../model/asking-options.js'
import { createModelProposer } from '../model/model-proposer.js'
import { limitsLeft, Spending } from '../model/spending.js'
import { fallbackProposer } from '../proposers/fallback-proposer.js'
import { createFixedProposer, type SeedName } from '../proposers/fixed-proposer.js'
import type { Explanation, ProposalInput, Proposer } from '../proposers/proposer.js'
import { rulesProposer } from '../proposers/rules-proposer.js'
import type { Attempt } from './attempt.js'
import type { Composition } from './composition.js'
import { nothingError } from './nothing-error.js'
import { tryManifest } from './try-manifest.js'

/** What a composition is made with. */
export interface ComposeOptions {
  /** Its default model, tools and limits are features of the task. */
  readonly env: Environment
  /** What there is to compose from. */
  readonly catalog: Catalog
  /** Who writes the manifest: the table of rules, a model, or the host itself. Default `model` with a `metaModel`, else `rules`. */
  readonly proposer?: 'rules' | 'model' | { readonly fixed: SeedName | Manifest }
  /** The model that composes. Default: the environment's. */
  readonly metaModel?: Model
  /** How that model is asked. */
  readonly asking?: AskingOptions
  /** Where the manifests come from, which decides what they may name. What a model writes is of origin `model`. Default `host`. */
  readonly origin?: Origin
  /** Ends the composition. */
  readonly signal?: AbortSignal
}

/**
 * Turns a task into a harness that can run it. No model is called, unless the proposer is `model`.
 *
 * Manifests are tried in order until one assembles with this catalog: those of the proposer, after a model those of the
 * rules, then the seed react, then any action module that is installed.
 *
 * @throws HarnessError `E_COMPOSE_NOTHING` when none does, with every attempt in `details.attempts`: most often because no
 * package with an action module is installed. `E_COMPOSE_OPTIONS` when an option has a value that means nothing. The reason
 * of the signal when that is aborted.
 */
export async function compose(task: Task | string, options: ComposeOptions): Promise<Composition> {
  const { env, catalog, origin = 'host', signal } = options
  const given: Task = typeof task === 'string' ? { instruction: task } : task
  const features = extractFeatures(given, { tools: env.tools, model: env.model(), limits: env.limits })
  const proposers = [...proposersOf(options), fallbackProposer]
  const [attempts, explanation, spending, started]: [Attempt[], Explanation[], Spending, number] = [
    [],
    [],
    new Spending(),
    env.clock.now(),
  ]
  const input = { task: given, features, catalog, env, attempts, spending, ...(signal === undefined ? {} : { signal }) }
  for await (const { proposal, route } of proposals(proposers, input)) {
    signal?.throwIfAborted()
    const { manifest, analysis } = proposal
    explanation.push(...proposal.explanation)
    if (manifest === undefined) continue
    const { harness, problems } = await tryManifest(manifest, { catalog, env, origin: proposal.origin ?? origin })
    attempts.push({ manifest, route, problems })
    if (harness === undefined) continue
    const { manifestId, harnessId } = harness
    const story = { explanation: Object.freeze(explanation), attempts: Object.freeze(attempts) }
    const spent = spending.total(env.clock.now() - started)
    return Object.freeze({
      manifest,
      harness,
      route,
      features,
      ...(analysis === undefined ? {} : { analysis }),
      ...story,
      spent,
      limits: Object.freeze(limitsLeft(env.limits, spent)),
      manifestId,
      harnessId,
    })
  }
  throw nothingError(attempts, catalog)
}

function proposersOf({ env, proposer, metaModel, asking }: ComposeOptions): readonly Proposer[] {
  const checked = checkAsking(asking)
  const chosen = proposer ?? (metaModel === undefined ? 'rules' : 'model')
  if (chosen === 'rules') return [rulesProposer]
  if (chosen === 'model') return [createModelProposer(metaModel ?? env.model(), checked), rulesProposer]
  return [createFixedProposer(chosen.fixed)]
}

/** The proposals of each proposer in turn; one that is not reached is not asked. */
async function* proposals(proposers: readonly Proposer[], input: ProposalInput) {
  for (const { route, propose } of proposers) {
    for await (const proposal of propose(input)) yield { proposal, route }
  }
}
