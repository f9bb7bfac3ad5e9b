import type { Json } from '../types/index.js'

/** A place in a value where something stands that JSON cannot hold. */
export class NotJson extends Error {
  /** RFC 6901 pointer to it. */
  readonly pointer: string
  constructor(path: readonly (string | number)[], found: string) {
    const pointer = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
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
export function copyJson(value: unknown): Json {
  return typeof value === 'string' ? value : copyAt([], value)
}

/** Copies what stands at a path, which is written out only where something is refused. */
function copyAt(path: (string | number)[], value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotJson(path, String(value))
    return value
  }
  if (typeof value !== 'object') throw new NotJson(path, `a ${typeof value}`)
  if (path.length > MAX_DEPTH) throw new NotJson(path, 'a cycle, or more than 200 levels,')
  if (Array.isArray(value)) return Array.from(value, (item, index) => copyBelow(path, index, item))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new NotJson(path, 'an instance of a class')
  const copied: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key]
    if (item === undefined) continue
    const own = copyBelow(path, key, item)
    if (key !== '__proto__') copied[key] = own
    else Object.defineProperty(copied, key, { value: own, enumerable: true, configurable: true, writable: true })
  }
  return copied
}

function copyBelow(path: (string | number)[], key: string | number, item: unknown): Json {
  path.push(key)
  const copied = copyAt(path, item)
  path.pop()
  return copied
}

/** Values that hold others, so that none is entered twice; what is flat is as quickly frozen as looked up. */
const frozen = new WeakSet<object>()

/** Freezes a JSON value to its leaves; what was frozen here before is not entered again. */
export function freezeJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  Object.freeze(value)
  for (const key in value) {
    const item = value[key]
    if (typeof item !== 'object' || item === null) continue
    frozen.add(value)
    freezeJson(item)
  }
  return value
}
