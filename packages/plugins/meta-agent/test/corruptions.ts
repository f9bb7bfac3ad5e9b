import { type Catalog, type Json, type Manifest, seededRandom, type Use } from '@harnesswright/core'

/** A valid manifest in which one field was spoilt. */
export interface Corruption {
  readonly seed: string
  readonly what: string
  /** Pointer to the field. */
  readonly pointer: string
  readonly valid: Manifest
  readonly spoilt: Json
}

type Fields = { [key: string]: Json }
type Kind = readonly [what: string, spoil: () => void]

/** A manifest with every default of its modules written out, so that it has as many fields as it may. */
export function writtenOut(manifest: Manifest, catalog: Catalog): Manifest {
  const fill = (use: Use): Use => {
    const described = catalog.find(use.use)?.description
    const prompts = described?.prompts ?? {}
    const properties = (described?.options['properties'] ?? {}) as Readonly<Record<string, { readonly default?: Json }>>
    const defaults = Object.entries(properties).flatMap(([name, one]) =>
      'default' in one ? [[name, one.default]] : [],
    )
    const filled = { ...Object.fromEntries(defaults), ...use.with }
    const [prompt] = Object.entries(prompts)
    return {
      ...use,
      ...(Object.keys(filled).length === 0 ? {} : { with: filled }),
      ...(prompt === undefined ? {} : { prompts: { [prompt[0]]: prompt[1] } }),
    }
  }
  const slot = <T extends Use | readonly Use[] | null>(value: T): T =>
    (Array.isArray(value) ? value.map(fill) : value === null ? null : fill(value as Use)) as T
  return {
    ...manifest,
    memory: slot(manifest.memory),
    planning: slot(manifest.planning),
    capability: slot(manifest.capability),
    action: fill(manifest.action),
  }
}

/** Spoils one field of a manifest, chosen evenly among all of them. */
export function corrupt(seed: string, valid: Manifest, rng: number): Corruption {
  const random = seededRandom(rng)
  const next = (): number => random.next()
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  const spoilt = JSON.parse(JSON.stringify(valid)) as Fields
  const places = fieldsOf(spoilt, '')
  const { holder, name, pointer } = pick(places)
  const value = holder[name] as Json
  const set = (key: string, to: Json) => (): void => {
    holder[key] = to
  }
  const kinds: readonly Kind[] = [
    ['a name with a slip', () => rename(holder, name, slip(name, next))],
    ['a field that is gone', () => void delete holder[name]],
    ['a value of another type', set(name, otherType(value, next))],
    ...(typeof value === 'string' ? [['a text with a slip', set(name, slip(value, next))] as const] : []),
    ...(typeof value === 'number' ? [['a number far off', set(name, value * -1_000 - 7)] as const] : []),
    ['a field too many', set(`${name}Extra`, true)],
  ]
  const [what, spoil] = pick(kinds)
  spoil()
  return { seed, what, pointer, valid, spoilt }
}

interface Field {
  readonly holder: Fields
  readonly name: string
  readonly pointer: string
}

/** Every field of every object. */
function fieldsOf(value: Json, at: string): readonly Field[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one, index) => fieldsOf(one as Json, `${at}/${index}`))
  const holder = value as Fields
  return Object.keys(holder).flatMap((name) => {
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return [{ holder, name, pointer }, ...fieldsOf(holder[name] as Json, pointer)]
  })
}

function rename(holder: Fields, from: string, to: string): void {
  const value = holder[from] as Json
  delete holder[from]
  holder[to] = value
}

/** A text with two letters swapped, one doubled or one left out. */
function slip(text: string, next: () => number): string {
  const at = Math.floor(next() * Math.max(1, text.length - 1))
  const kind = Math.floor(next() * 3)
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1)
  if (kind === 1) return text.slice(0, at) + text.slice(at, at + 1).repeat(2) + text.slice(at + 1)
  return text.slice(0, at) + text.slice(at + 1, at + 2) + text.slice(at, at + 1) + text.slice(at + 2)
}

function otherType(value: Json, next: () => number): Json {
  const others: readonly Json[] = [17, 'seventeen', true, ['a'], { a: 1 }, null].filter(
    (one) => typeof one !== typeof value,
  )
  return others[Math.floor(next() * others.length)] as Json
}
