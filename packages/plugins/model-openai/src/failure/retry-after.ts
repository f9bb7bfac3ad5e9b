import { type Fields, fieldsOf } from '../json-fields.js'

/** Names of a wait in the body of a refusal, and the ms in their unit. */
const BODY_FIELDS: readonly (readonly [name: string, unitMs: number])[] = [
  ['retry_after_ms', 1],
  ['retryAfterMs', 1],
  ['retry_after_seconds', 1_000],
  ['retry_after', 1_000],
  ['retryAfter', 1_000],
  ['cooldown_seconds', 1_000],
]

/** How long a refusal asks to wait, in ms: by header, or in its body. Undefined when it does not say. */
export function retryAfterMs(headers: Headers, body: unknown, nowMs: number): number | undefined {
  return ofHeaders(headers, nowMs) ?? ofBody(body)
}

function ofHeaders(headers: Headers, nowMs: number): number | undefined {
  const inMs = amount(headers.get('retry-after-ms'))
  if (inMs !== undefined) return inMs
  const said = headers.get('retry-after')
  const seconds = amount(said)
  if (seconds !== undefined) return Math.ceil(seconds * 1_000)
  const date = said === null ? Number.NaN : Date.parse(said)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

/** At the top, in `error`, or one level below in what the endpoint says of itself. */
function ofBody(body: unknown): number | undefined {
  const top = fieldsOf(body)
  const error = fieldsOf(top?.['error'])
  const places = [top, error, fieldsOf(error?.['metadata']), fieldsOf(top?.['metadata']), fieldsOf(top?.['detail'])]
  for (const place of places) {
    const found = place === undefined ? undefined : ofFields(place)
    if (found !== undefined) return found
  }
  return undefined
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
