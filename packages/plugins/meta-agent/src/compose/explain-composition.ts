import type { Manifest, Use } from '@harnesswright/core'
import type { TaskFeatures } from '../features/task-features.js'
import { formatCount, formatShare } from '../rules/format.js'
import type { Attempt, Composition } from './composition.js'

/** Characters of an identity that people are shown, after `sha256:`. */
const SHOWN_ID_CHARS = 12

/** A composition in lines for people: features, every row that was looked at, what failed, the four slots, route and identity. */
export function explainComposition(composition: Composition): readonly string[] {
  const { manifest, route, features, explanation, attempts, manifestId, harnessId } = composition
  return [
    `features: ${describeFeatures(features)}`,
    ...explanation.map(({ rule, applies, because }) => `${applies ? 'applies' : 'skipped'} ${rule}: ${because}`),
    ...attempts.flatMap(describeFailure),
    `route: ${route}, manifest ${manifest.name}`,
    ...describeSlots(manifest),
    `manifest ${shorten(manifestId)}, harness ${shorten(harnessId)}`,
  ]
}

function describeFeatures(features: TaskFeatures): string {
  const { files, sources, goals, dependencyDepth, deliverable, expectedObservationTokens, windowShare } = features
  const share = windowShare === null ? 'window unknown' : `${formatShare(windowShare)} of the window`
  return [
    formatCount(files, 'file'),
    formatCount(sources, 'source'),
    `about ${formatCount(expectedObservationTokens, 'token')} to observe (${share})`,
    formatCount(goals, 'goal'),
    `chain of ${dependencyDepth}`,
    deliverable ? 'a file to write' : 'nothing to write',
    `at least ${formatCount(features.leastSteps, 'step')} and ${formatCount(features.leastTokens, 'token')}`,
  ].join(', ')
}

function describeFailure({ manifest, route, problems }: Attempt): readonly string[] {
  return problems.map(({ code, pointer, message }) => {
    return `not assembled: ${manifest.name} (${route}): ${code} at ${pointer === '' ? 'the manifest' : pointer}: ${message}`
  })
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
