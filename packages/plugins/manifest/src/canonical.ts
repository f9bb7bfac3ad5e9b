import { isRecord } from './pointer.js'

/**
 * The canonical JSON text of a value by RFC 8785: keys in the order of their UTF-16 code units, numbers and strings as
 * ECMAScript writes them, no space. Fields that are undefined are left out.
 *
 * @throws TypeError for numbers that JSON does not have.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`)
    .join(',')}}`
}
