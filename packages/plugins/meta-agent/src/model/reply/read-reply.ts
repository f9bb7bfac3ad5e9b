import type { Json, Manifest } from '@harnesswright/core'
import { type Dialect, listJsonObjects } from '@harnesswright/plugin-manifest'
import { jsonrepair } from 'jsonrepair'
import type { TaskAnalysis } from '../../proposers/task-analysis.js'
import { shorten } from '../prompt/catalog-text.js'

/** A manifest with what was said of it, or why there is none. */
export type ReadReply =
  | { readonly manifest: Manifest; readonly analysis: TaskAnalysis; readonly fault?: undefined }
  | { readonly fault: string }

/** Longest text of an analysis that is kept, in characters. */
const MAX_ANALYSIS_CHARS = 2_000
/** Longest reply that is read, in characters. */
const MAX_REPLY_CHARS = 256 * 1024

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a reply: the object that was asked for, or a manifest alone, amid words, fences and thinking, and with small slips of
 * JSON. What it holds may still be wrong, and is then told when it is assembled.
 */
export function readReply(content: string, dialect: Pick<Dialect, 'read'>, by: string): ReadReply {
  if (content.length > MAX_REPLY_CHARS) return { fault: `The reply has ${content.length} characters.` }
  const text = content
    .replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '')
    .replace(/^[\s\S]*<\/think(?:ing)?>/i, '')
  const objects = listJsonObjects(text)
  const found = objects.findLast(isMeant) ?? [mended(text)].find(isMeant)
  if (found === undefined) return { fault: faultOf(text, objects) }
  const whole = found as Fields // isMeant
  const given = fieldsOf(whole['manifest']) ?? whole
  // What a model wrote is JSON, and its mistakes are told when it is read.
  const draft = dialect.read(given) as unknown as Manifest
  const analysis = analysisOf(whole, by)
  const metadata: { [key: string]: Json } = { composed: { ...analysis, predicted: { ...analysis.predicted } } }
  return { manifest: { ...draft, metadata }, analysis }
}

/** True for an object that is, or holds, a manifest. */
function isMeant(value: unknown): boolean {
  const fields = fieldsOf(value)
  if (fields === undefined) return false
  return fieldsOf(fields['manifest']) !== undefined || fieldsOf(fields['action']) !== undefined
}

/** The text from its first bracket to its last, mended. A text that was cut is not. */
function mended(text: string): unknown {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')]
  if (start < 0 || end < start || isCut(text.slice(start, end + 1))) return undefined
  try {
    return JSON.parse(jsonrepair(text.slice(start, end + 1)))
  } catch {
    return undefined
  }
}

function isCut(text: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '')
  return (bare.match(/[{[]/g) ?? []).length !== (bare.match(/[}\]]/g) ?? []).length
}

function faultOf(text: string, objects: readonly unknown[]): string {
  if (text.trim() === '') return 'The reply is empty.'
  if (!text.includes('{')) return 'The reply holds no JSON object.'
  const isWhole = objects.length > 0 && !isCut(text.slice(text.indexOf('{')))
  return isWhole ? 'The reply holds JSON, and no object with "manifest".' : 'The JSON of the reply is broken or cut.'
}

function analysisOf(whole: Fields, by: string): TaskAnalysis {
  const { analysis } = whole
  const predicted = fieldsOf(whole['predicted']) ?? {}
  const number = (name: string, most: number): number | null => {
    const value = predicted[name]
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.min(value, most) : null
  }
  return {
    by,
    text: typeof analysis === 'string' ? shorten(analysis.trim(), MAX_ANALYSIS_CHARS) : '',
    predicted: { reward: number('reward', 1), tokens: number('tokens', 1e12), steps: number('steps', 1e9) },
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
