import type { Model, Task } from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { extractFeatures } from '../features/extract-features.js'
import { type Asking, checkAsking } from '../model/asking-options.js'
import { createModelProposer } from '../model/model-proposer.js'
import type { ModelProbe } from '../model/probe/model-probe.js'
import { PROBE_CALLS, probeModel } from '../model/probe/probe-model.js'
import { shorten } from '../model/prompt/catalog-text.js'
import { Spending } from '../model/spending.js'
import { fallbackProposer } from '../proposers/fallback-proposer.js'
import { createFixedProposer } from '../proposers/fixed-proposer.js'
import { nearestProposer } from '../proposers/nearest-proposer.js'
import type { Explanation, Proposer } from '../proposers/proposer.js'
import { createReferenceProposer } from '../proposers/reference-proposer.js'
import { rulesProposer } from '../proposers/rules-proposer.js'
import { createModelRepairer } from '../repair/model-repairer.js'
import type { Repairer } from '../repair/repairer.js'
import { createRulesRepairer } from '../repair/rules/rules-repairer.js'
import type { Attempt } from './attempt.js'
import { type ComposeOptions, checkComposeOptions } from './compose-options.js'
import type { Composition } from './composition.js'
import { nothingError } from './nothing-error.js'
import type { HarnessReference } from './reference.js'
import { selectorOf } from './selector-of.js'
import { type Stage, tryStage } from './try-stage.js'

export type { ComposeOptions } from './compose-options.js'

/** References that are kept of what a bank gives. */
const MOST_REFERENCES = 20

/**
 * Turns a task into a harness that can run it. No model is called, unless one composes, judges or is probed.
 *
 * Manifests are proposed, checked, mended where they fail, and one that passes is chosen. When none passes, the references
 * are tried, after a model the rules, then the seed react, then any action module that is installed. So a composition always
 * gives a harness that can run, and says which way it came about.
 *
 * @throws HarnessError `E_COMPOSE_NOTHING` when none can be assembled, with every attempt in `details.attempts`: most often because no
 * package with an action module is installed. `E_COMPOSE_OPTIONS` when an option has a value that means nothing. The reason
 * of the signal when that is aborted.
 */
export async function compose(task: Task | string, options: ComposeOptions): Promise<Composition> {
  const { env, catalog, signal, select = 'first-valid' } = options
  checkComposeOptions(options)
  const asking = checkAsking(options.asking)
  const given: Task = typeof task === 'string' ? { instruction: task } : task
  const features = extractFeatures(given, { tools: env.tools, model: env.model(), limits: env.limits })
  const [attempts, explanation]: [Attempt[], Explanation[]] = [[], []]
  const [spending, started] = [new Spending(), env.clock.now()]
  signal?.throwIfAborted()
  const references = await retrieve(given, features, options)
  const probe = await probeOf(options, spending, explanation)
  const judge = selectorOf(select, options.metaModel ?? env.model(), asking)
  const around = { task: given, features, references, attempts, explanation, spending, options, probe }
  for (const stage of stagesOf(options, asking, references)) {
    const found = await tryStage(stage, { ...around, select, judge })
    if (found === undefined) continue
    const { harness, manifest, route, origin, analysis, selection, dead, notes } = found
    const { manifestId, harnessId } = harness
    const ms = env.clock.now() - started
    return Object.freeze({
      manifest,
      origin,
      harness,
      route,
      features,
      ...(analysis === undefined ? {} : { analysis }),
      explanation: Object.freeze(explanation),
      references: Object.freeze(references),
      attempts: Object.freeze(attempts),
      selection,
      ...(probe === undefined ? {} : { probe }),
      dead,
      notes,
      spent: spending.total(ms),
      limits: Object.freeze(spending.left(env.limits, ms)),
      manifestId,
      harnessId,
    })
  }
  throw nothingError(attempts, catalog)
}

/** Who is asked in turn, until something passes. */
function stagesOf(options: ComposeOptions, asking: Asking, references: readonly HarnessReference[]): readonly Stage[] {
  const { env, proposer, metaModel, n } = options
  const chosen = proposer ?? (metaModel === undefined ? 'rules' : 'model')
  const isModel = chosen === 'model'
  const [first, model] = askedFirst(chosen, asking, { metaModel, usual: env.model() })
  const later = (next: Proposer): Stage => ({ proposer: next, count: 1, repairers: [], isChosen: false })
  const asked = (of: Proposer): Stage => {
    const count = n ?? (isModel ? asking.candidates : 1)
    return { proposer: of, count, repairers: repairersOf(options, asking, model), isChosen: true }
  }
  const out = references.length === 0 ? [] : [later(createReferenceProposer(references))]
  const last = { ...later(fallbackProposer), isLast: true }
  if (first.route === 'fixed') return [asked(first), last]
  if (chosen === 'rules') return [asked(first), ...out, last]
  // What proved itself is taken as it is; without that it is as if there were no bank.
  if (chosen === 'nearest') return [later(first), asked(rulesProposer), ...out, last]
  const rules = { ...later(rulesProposer), repairers: options.repair === 'off' ? [] : [createRulesRepairer()] }
  return [asked(first), ...out, rules, last]
}

/** Who is asked first, and the model that mends, where one does. */
function askedFirst(
  chosen: NonNullable<ComposeOptions['proposer']>,
  asking: Asking,
  { metaModel, usual }: { readonly metaModel: ComposeOptions['metaModel']; readonly usual: Model },
): readonly [Proposer, Model | undefined] {
  if (chosen === 'rules') return [rulesProposer, undefined]
  if (chosen === 'nearest') return [nearestProposer, undefined]
  if (chosen === 'model') return [createModelProposer(metaModel ?? usual, asking), metaModel ?? usual]
  return 'fixed' in chosen ? [createFixedProposer(chosen.fixed), undefined] : [chosen, metaModel]
}

/** What is beyond doubt costs no call; what a model cannot say either is guessed. */
function repairersOf(
  { repair }: ComposeOptions,
  asking: Asking,
  model: ComposeOptions['metaModel'],
): readonly Repairer[] {
  if (repair === 'off') return []
  if (repair !== undefined) return repair
  if (model === undefined) return [createRulesRepairer()]
  return [createRulesRepairer({ onlySure: true }), createModelRepairer(model, asking), createRulesRepairer()]
}

async function retrieve(
  task: Task,
  features: Composition['features'],
  { references = [] }: ComposeOptions,
): Promise<readonly HarnessReference[]> {
  const found = typeof references === 'function' ? await references(task, features) : references
  return found.slice(0, MOST_REFERENCES)
}

/** What the executor can follow: as it is kept, or as it is asked now. A simulated one is believed. */
async function probeOf(
  { env, probes, signal }: ComposeOptions,
  spending: Spending,
  explanation: Explanation[],
): Promise<ModelProbe | undefined> {
  const model = env.model()
  if (probes === undefined || model.simulated === true) return undefined
  const known = await probes.get(model.id)
  if (known !== undefined) return known
  const rule = `probe ${model.id}`
  if (spending.affords(PROBE_CALLS, model, env.limits) < 1) {
    explanation.push({ rule, applies: false, because: 'The limits do not pay for a probe: the model is believed.' })
    return undefined
  }
  try {
    const probe = await probeModel(model, { env, spending, signal })
    await probes.set(probe)
    const said = (seen: boolean | null): string => (seen === null ? 'not asked for' : seen ? 'yes' : 'no')
    const because = `It makes calls of its own: ${said(probe.native)}; calls in the codec json: ${said(probe.json)}; plans as JSON: ${said(probe.plan)}.`
    explanation.push({ rule, applies: true, because })
    return probe
  } catch (error) {
    signal?.throwIfAborted()
    explanation.push({ rule, applies: false, because: `It could not be asked: ${shorten(messageOf(error), 300)}` })
    return undefined
  }
}
