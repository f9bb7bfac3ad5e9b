import { faultOfEntry } from './check-entry.js'
import { type Entry, LOG_VERSION } from './entry.js'

/** What a line of the log holds. */
export type ParsedLine =
  | { readonly kind: 'entry'; readonly entry: Entry }
  /** Nothing: each append begins with a newline, so that it cannot be swallowed by what a killed process left. */
  | { readonly kind: 'blank' }
  /** The first line of a log. */
  | { readonly kind: 'header'; readonly id: string }
  /** Something that is no entry, such as a line that was cut short. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** An entry of a version that this program does not know. */
  | { readonly kind: 'newer'; readonly version: number }

/** Reads a line. It never throws, whatever it holds. */
export function parseLine(text: string): ParsedLine {
  if (text.trim() === '') return { kind: 'blank' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'broken', reason: 'no JSON' }
  }
  const { v, kind, id } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<
    Record<string, unknown>
  >
  if (typeof v === 'number' && Number.isSafeInteger(v) && v > LOG_VERSION) return { kind: 'newer', version: v }
  if (kind === 'bank' && typeof id === 'string') return { kind: 'header', id }
  const fault = faultOfEntry(value)
  return fault === undefined ? { kind: 'entry', entry: value as Entry } : { kind: 'broken', reason: fault }
}
