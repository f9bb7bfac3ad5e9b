import type { Manifest, Use } from '@harnesswright/core'
import { describeFeatures } from '../features/describe-features.js'
import type { ComposeSpent } from '../model/spending.js'
import type { TaskAnalysis } from '../proposers/task-analysis.js'
import { formatCount, formatShare, formatUsd } from '../rules/format.js'
import type { Attempt } from './attempt.js'
import type { Composition } from './composition.js'

/** Characters of an identity that people are shown, after `sha256:`. */
const SHOWN_ID_CHARS = 12

/** A composition in lines for people: features, every row that was looked at, what failed, the four slots, route and identity. */
export function explainComposition(composition: Composition): readonly string[] {
  const { manifest, route, features, explanation, attempts, manifestId, harnessId, analysis, spent } = composition
  return [
    `features: ${describeFeatures(features)}`,
    ...explanation.map(({ rule, applies, because }) => `${applies ? 'applies' : 'skipped'} ${rule}: ${because}`),
    ...attempts.flatMap(describeFailure),
    `route: ${route}, manifest ${manifest.name}`,
    ...describeSlots(manifest),
    ...(analysis === undefined ? [] : describePrediction(analysis)),
    ...(spent.modelCalls === 0 ? [] : [`composing took ${describeSpent(spent)}`]),
    `manifest ${shorten(manifestId)}, harness ${shorten(harnessId)}`,
  ]
}

function describeFailure({ manifest, route, problems }: Attempt): readonly string[] {
  return problems.map(({ code, pointer, message }) => {
    return `not assembled: ${manifest.name} (${route}): ${code} at ${pointer === '' ? 'the manifest' : pointer}: ${message}`
  })
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
