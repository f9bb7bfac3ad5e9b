import { createHash } from 'node:crypto'

const SAFE = /^[a-zA-Z0-9_-]{1,64}$/
/** Characters of a made name that are left of its own; the rest tells it from others. */
const KEPT = 51

/** Names as they go over the wire, and back. */
export interface ToolNames {
  /** The name on the wire. */
  toWire(name: string): string
  /** The name of the tool; a name that is of no tool stays as it is. */
  fromWire(wire: string): string
}

/** True when a name goes over the wire as it is. */
export function fitsWire(name: string): boolean {
  return SAFE.test(name)
}

/** The names of a request in which all fit the wire. */
export const SAME_NAMES: ToolNames = Object.freeze({
  toWire: (name: string) => name,
  fromWire: (wire: string) => wire,
})

/**
 * Maps the names of a request to `^[a-zA-Z0-9_-]{1,64}$` and back. A name that fits stays as it is; any other becomes its
 * safe characters and a digest of it, so that the same name is sent the same way in every request of every run.
 */
export function mapToolNames(names: Iterable<string>): ToolNames {
  const all = new Set(names)
  const wireOf = new Map<string, string>()
  const nameOf = new Map<string, string>()
  for (const name of all) if (fitsWire(name)) keep(name, name)
  for (const name of all) if (!fitsWire(name)) keep(name, madeName(name))

  function keep(name: string, wire: string): void {
    wireOf.set(name, wire)
    nameOf.set(wire, name)
  }

  function madeName(name: string): string {
    for (let salt = 0; ; salt++) {
      const wire = `${name.replace(/[^a-zA-Z0-9_-]/gu, '_').slice(0, KEPT)}_${digestOf(name, salt)}`
      if (!nameOf.has(wire)) return wire
    }
  }

  return {
    toWire: (name) => wireOf.get(name) ?? name,
    fromWire: (wire) => nameOf.get(wire) ?? wire,
  }
}

function digestOf(name: string, salt: number): string {
  return createHash('sha256').update(`${salt}\n${name}`).digest('hex').slice(0, 12)
}
