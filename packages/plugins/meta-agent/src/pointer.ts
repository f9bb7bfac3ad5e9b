/** The parts of an RFC 6901 pointer, unescaped. */
export function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The pointer to a field or item below another place. */
export function below(base: string, token: string | number): string {
  return `${base}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The pointer one level up. */
export function above(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
}

/** The value at a pointer; undefined when there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return tokensOf(pointer).reduce<unknown>((at, token) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, token)) return undefined
    return (at as Readonly<Record<string, unknown>>)[token]
  }, value)
}

/** True for what JSON calls an object. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True when a pointer is one of some places, or below one. */
export function isWithin(pointer: string, places: readonly string[]): boolean {
  return places.some((place) => pointer === place || pointer.startsWith(`${place}/`))
}

/** Pointers to everything in which two JSON values differ, as deep as both have objects. */
export function differences(one: unknown, other: unknown, at = ''): readonly string[] {
  if (isFields(one) && isFields(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    return names.flatMap((name) => differences(own(one, name), own(other, name), below(at, name)))
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((item, index) => differences(item, other[index], below(at, index)))
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [at]
}

function own(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
