/** An object as JSON has it. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** True for what JSON calls an object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The RFC 6901 pointer to a field or item below another place. */
export function joinPointer(base: string, token: PropertyKey): string {
  return `${base}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The pointer one level up; that of the whole value is ''. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
}

/** The value at a pointer; undefined when there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as JsonRecord)[key]
  }
  return found
}
