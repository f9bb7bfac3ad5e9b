import type { Manifest, Use } from '@harnesswright/core'
import { describeFeatures } from '../features/describe-features.js'
import { measuresText } from '../model/prompt/references-text.js'
import type { ComposeSpent } from '../model/spending.js'
import type { TaskAnalysis } from '../proposers/task-analysis.js'
import type { RepairRound } from '../repair/repair-manifest.js'
import { formatCount, formatShare, formatUsd } from '../rules/format.js'
import type { Selection } from '../select/selector.js'
import type { Attempt } from './attempt.js'
import type { Composition } from './composition.js'
import type { HarnessReference } from './reference.js'

/** Characters of an identity that people are shown, after `sha256:`. */
const SHOWN_ID_CHARS = 12

/**
 * A composition in lines for people: features, what was retrieved, every row that was looked at, what was refused and why,
 * what was mended and how, what was chosen and why, the four slots, route and identity.
 */
export function explainComposition(composition: Composition): readonly string[] {
  const { manifest, route, features, explanation, attempts, manifestId, harnessId, analysis, spent } = composition
  const { references, selection, dead, notes } = composition
  return [
    `features: ${describeFeatures(features)}`,
    ...references.map(describeReference),
    ...explanation.map(({ rule, applies, because }) => `${applies ? 'applies' : 'skipped'} ${rule}: ${because}`),
    ...attempts.flatMap(describeAttempt),
    ...describeSelection(selection),
    `route: ${route}, manifest ${manifest.name}`,
    ...describeSlots(manifest),
    ...dead.map(({ pointer, message }) => `changes nothing: ${pointer}: ${message}`),
    ...notes.map((note) => `not checked: ${note}`),
    ...(analysis === undefined ? [] : describePrediction(analysis)),
    ...(spent.modelCalls === 0 ? [] : [`composing took ${describeSpent(spent)}`]),
    `manifest ${shorten(manifestId)}, harness ${shorten(harnessId)}`,
  ]
}

function describeReference({ harnessId, manifest, why, measured }: HarnessReference): string {
  return `retrieved: ${manifest.name} (${shorten(harnessId)}), ${measuresText(measured)}: ${why}`
}

/** What was refused of a manifest, and what was done about it. */
function describeAttempt({ manifest, route, stage, problems, repairs, mended }: Attempt): readonly string[] {
  const named = `${manifest.name} (${route})`
  const refused = problems.map(({ code, pointer, message }) => {
    const at = stage === undefined ? '' : ` by ${stage}`
    return `refused${at}: ${named}: ${code} at ${pointer === '' ? 'the manifest' : pointer}: ${message}`
  })
  const rounds = repairs.flatMap((round) => describeRound(round, named))
  const [last] = repairs.toReversed()
  const end =
    mended === undefined
      ? `not mended: ${named}: ${why(last)}`
      : `mended: ${named} in ${formatCount(repairs.length, 'round')}`
  return [...refused, ...rounds, ...(repairs.length === 0 ? [] : [end])]
}

/** The deltas of a round, a line each. */
export function describeRound({ round, deltas }: RepairRound, named: string): readonly string[] {
  return deltas.map(({ by, patch, refused, said }) => {
    const what = patch
      .map((one) => `${one.op} ${one.path}${'value' in one ? ` ${JSON.stringify(one.value)}` : ''}`)
      .join('; ')
    const told = refused === undefined ? (said ?? '') : `not applied: ${refused}`
    return `repair ${round} of ${named} by ${by}: ${[what, told].filter((one) => one !== '').join(' (')}${what !== '' && told !== '' ? ')' : ''}`
  })
}

function why(round: RepairRound | undefined): string {
  const [left] = round?.left ?? []
  if (left === undefined) return 'nothing was left'
  const untouchable = round?.cases.every(({ within }) => within.length === 0) === true
  return `${left.message}${untouchable ? ' It lies outside the slots, which is not for repair to touch.' : ''}`
}

function describeSelection({ how, chosen, scores, reason }: Selection): readonly string[] {
  if (scores.length < 2) return []
  const told = scores.map((score) => (score === null ? '–' : String(Math.round(score * 1_000) / 1_000))).join(', ')
  return [`chosen by ${how}: ${chosen + 1} of ${scores.length} that passed (scores ${told}). ${reason}`]
}

function describePrediction({ predicted: { reward, tokens, steps } }: TaskAnalysis): readonly string[] {
  const said = [
    reward === null ? '' : `${formatShare(reward)} right`,
    tokens === null ? '' : formatCount(tokens, 'token'),
    steps === null ? '' : formatCount(steps, 'step'),
  ].filter((one) => one !== '')
  return said.length === 0 ? [] : [`predicted: ${said.join(', ')}`]
}

function describeSpent({ modelCalls, usage: { inputTokens, outputTokens }, usd }: ComposeSpent): string {
  const tokens = inputTokens === null ? 'tokens unknown' : formatCount(inputTokens + (outputTokens ?? 0), 'token')
  return `${formatCount(modelCalls, 'model call')}, ${tokens}, ${usd === null ? 'cost unknown' : `${formatUsd(usd)} USD`}`
}

function describeSlots({ memory, planning, capability, action }: Manifest): readonly string[] {
  return [
    `memory: ${describeSlot(memory, 'the whole history')}`,
    `planning: ${describeSlot(planning, 'none')}`,
    `capability: ${describeSlot(capability, 'all tools')}`,
    `action: ${describeSlot(action, 'none')}`,
  ]
}

function describeSlot(slot: Use | readonly Use[] | null, none: string): string {
  const uses = [slot].flat().filter((use) => use !== null)
  return uses.length === 0 ? none : uses.map(describeUse).join(', then ')
}

function describeUse({ use, with: options }: Use): string {
  const set = Object.entries(options ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return set.length === 0 ? use : `${use} (${set.join(', ')})`
}

function shorten(id: string): string {
  return id.replace(/^sha256:/, '').slice(0, SHOWN_ID_CHARS)
}
