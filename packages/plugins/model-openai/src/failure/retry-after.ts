import { type Fields, fieldsOf } from '../json-fields.js'
import type { Head } from '../transport/sending.js'

/** Names of a wait in the body of a refusal, and the ms in their unit. */
const BODY_FIELDS: readonly (readonly [name: string, unitMs: number])[] = [
  ['retry_after_ms', 1],
  ['retryAfterMs', 1],
  ['retry_after_seconds', 1_000],
  ['retry_after', 1_000],
  ['retryAfter', 1_000],
  ['retryDelay', 1_000],
  ['cooldown_seconds', 1_000],
]
/** How deep a body is looked into. */
const MOST_LEVELS = 4
const SAID =
  /(?:try again|retry|wait)(?: again)?(?: in| after)? (\d+(?:\.\d+)?) ?(ms|milliseconds?|s|sec|seconds?|m|min|minutes?)\b/i

/** How long a refusal asks to wait, in ms: by header, or in its body. Undefined when it does not say. */
export function retryAfterMs(head: Head, body: unknown, nowMs: number): number | undefined {
  return ofHeaders(head, nowMs) ?? ofBody(body)
}

function ofHeaders(head: Head, nowMs: number): number | undefined {
  const inMs = amount(head.header('retry-after-ms'))
  if (inMs !== undefined) return inMs
  const said = head.header('retry-after')
  const seconds = amount(said)
  if (seconds !== undefined) return Math.ceil(seconds * 1_000)
  const date = said === undefined ? Number.NaN : Date.parse(said)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

/** In a field at the top or some levels below, else in the words of a message. */
function ofBody(body: unknown): number | undefined {
  const top = fieldsOf(body)
  const message = fieldsOf(top?.['error'])?.['message'] ?? top?.['message']
  return ofLevel(body, MOST_LEVELS) ?? (typeof message === 'string' ? ofWords(message) : undefined)
}

function ofLevel(value: unknown, levels: number): number | undefined {
  const fields = fieldsOf(value)
  const own = fields === undefined ? undefined : ofFields(fields)
  if (own !== undefined || levels === 0) return own
  const below = Array.isArray(value) ? value : Object.values(fields ?? {})
  for (const one of below) {
    const found = typeof one === 'object' ? ofLevel(one, levels - 1) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function ofWords(message: string): number | undefined {
  const [, count, unit = ''] = SAID.exec(message) ?? []
  if (count === undefined) return undefined
  const unitMs = /^ms|^milli/i.test(unit) ? 1 : /^m/i.test(unit) ? 60_000 : 1_000
  return Math.ceil(Number(count) * unitMs)
}

function ofFields(fields: Fields): number | undefined {
  for (const [name, unitMs] of BODY_FIELDS) {
    const found = amount(fields[name])
    if (found !== undefined) return Math.ceil(found * unitMs)
  }
  return undefined
}

function amount(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const found =
    typeof value === 'number' ? value : /^\s*\d+(\.\d+)?s?\s*$/.test(value) ? Number.parseFloat(value) : Number.NaN
  return Number.isFinite(found) && found >= 0 ? found : undefined
}
