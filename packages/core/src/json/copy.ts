import type { Json } from '../protocol/index.js'

/** A place in a value where something stands that JSON cannot hold. */
export class NotJson extends Error {
  /** RFC 6901 pointer to it. */
  readonly pointer: string
  constructor(pointer: string, found: string) {
    super(`${found} at "${pointer}" is no JSON`)
    this.pointer = pointer
  }
}

const MAX_DEPTH = 200

/**
 * A copy of a value as JSON, so that neither side can change the other's. Fields that are undefined are left out.
 *
 * @throws NotJson for functions, symbols, bigints, non-finite numbers, class instances and cycles.
 */
export function copyJson(value: unknown, pointer = '', depth = 0): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotJson(pointer, String(value))
    return value
  }
  if (typeof value !== 'object') throw new NotJson(pointer, `a ${typeof value}`)
  if (depth > MAX_DEPTH) throw new NotJson(pointer, 'a cycle, or more than 200 levels,')
  if (Array.isArray(value)) return value.map((item, index) => copyJson(item, `${pointer}/${index}`, depth + 1))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new NotJson(pointer, 'an instance of a class')
  const copy: Record<string, Json> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) copy[key] = copyJson(item, `${pointer}/${key}`, depth + 1)
  }
  return copy
}

/** Freezes a JSON value to its leaves; what is frozen already is not entered. */
export function freezeJson<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const item of Object.values(value)) freezeJson(item)
  }
  return value
}
