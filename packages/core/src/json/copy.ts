import type { Json } from '@harnesswright/protocol'

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
  if (Array.isArray(value)) return Array.from(value, (item, index) => copyJson(item, `${pointer}/${index}`, depth + 1))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new NotJson(pointer, 'an instance of a class')
  const copied = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]): [string, Json] => [key, copyJson(item, `${pointer}/${escapeKey(key)}`, depth + 1)])
  return Object.fromEntries(copied) // a key named __proto__ stays a key
}

function escapeKey(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

const frozen = new WeakSet<object>()

/** Freezes a JSON value to its leaves; what was frozen here before is not entered again. */
export function freezeJson<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !frozen.has(value)) {
    frozen.add(Object.freeze(value))
    for (const item of Object.values(value)) freezeJson(item)
  }
  return value
}
