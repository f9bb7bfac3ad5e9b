import type { Json } from '@harnesswright/core'
import type { ManifestDiff, ManifestDifference } from './diff-manifests.js'

/** Characters of a value that people are shown. */
const SHOWN_CHARS = 80

/** What two manifests differ in, a line each, and how far they are apart. */
export function describeDiff({ distance, differences }: ManifestDiff): readonly string[] {
  const summary = `distance ${formatDistance(distance)}`
  if (differences.length === 0) return ['no difference: both mean the same', summary]
  return [...differences.map(describeDifference), summary]
}

/** A distance in three digits; what is not quite 0 is not shown as 0. */
export function formatDistance(distance: number): string {
  return distance > 0 && distance < 0.001 ? 'below 0.001' : distance.toFixed(3)
}

/** One difference in a line. */
export function describeDifference({ place, kind, module, name, a, b }: ManifestDifference): string {
  if (kind === 'module') return `${place}: ${moduleChange(a, b)}`
  const change = kind === 'prompt' ? lengthsOf(a, b) : `${valueText(a)} -> ${valueText(b)}`
  if (kind === 'setting') return `${place}${name === undefined ? '' : ` ${name}`}: ${change}`
  return `${place} ${kind} ${name} of ${module}: ${change}`
}

/** One that came or went without another in its place does not say that there was none beside it. */
function moduleChange(a: Json, b: Json): string {
  if (a === null) return `+ ${valueText(b)}`
  return b === null ? `- ${valueText(a)}` : `${valueText(a)} -> ${valueText(b)}`
}

function lengthsOf(a: Json, b: Json): string {
  return `another text (${String(a ?? '').length} and ${String(b ?? '').length} characters)`
}

function valueText(value: Json): string {
  if (value === null) return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)} …` : text
}
