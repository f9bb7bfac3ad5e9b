import { listJsonObjects } from '@harnesswright/plugin-manifest'
import { jsonrepair } from 'jsonrepair'
import { isFields } from '../pointer.js'

/** A manifest of a text, whatever is wrong with it; or none. */
export interface ReadDocument {
  /** A JSON object. */
  readonly manifest?: Readonly<Record<string, unknown>>
  /** True when it was taken out of other text, or slips of JSON in it were mended. */
  readonly isMended: boolean
}

/** Longest text that is read, in characters. */
const MAX_CHARS = 256 * 1024

/** Reads a manifest to be repaired: JSON, JSON amid words, or JSON with small slips, such as a comma too many. */
export function readDocument(text: string): ReadDocument {
  if (text.length > MAX_CHARS) return { isMended: false }
  const whole = parsed(text)
  if (isFields(whole)) return { manifest: whole, isMended: false }
  const found = listJsonObjects(text).filter(isFields)
  const meant = found.find((one) => 'protocol' in one) ?? (found.length === 1 ? found[0] : undefined)
  if (meant !== undefined && isManifestLike(meant)) return { manifest: meant, isMended: true }
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')]
  const slips = start < 0 || end < start ? undefined : mended(text.slice(start, end + 1))
  return isFields(slips) && isManifestLike(slips) ? { manifest: slips, isMended: true } : { isMended: false }
}

function isManifestLike(value: Readonly<Record<string, unknown>>): boolean {
  return ['protocol', 'action', 'memory', 'planning'].some((name) => Object.hasOwn(value, name))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function mended(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text))
  } catch {
    return undefined
  }
}
