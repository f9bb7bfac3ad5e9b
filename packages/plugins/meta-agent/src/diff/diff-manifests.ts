import type { Catalog, Json, Limits, Manifest } from '@harnesswright/core'
import { type NormalManifest, type NormalUse, normalise } from '@harnesswright/plugin-manifest'
import { matchModules } from './match-modules.js'
import { isSameJson, type OptionScale, scaleOf, valueDistance } from './value-distance.js'

/** A field of a manifest in which two manifests can differ. */
export type DiffPlace = 'memory' | 'planning' | 'capability' | 'action' | 'plugins' | 'codec' | 'limits'

/** One thing in which two manifests differ. */
export interface ManifestDifference {
  readonly place: DiffPlace
  /** What differs there: the module itself, one of its options or prompts, or a setting of the whole manifest. */
  readonly kind: 'module' | 'option' | 'prompt' | 'setting'
  /** The module whose option or prompt differs. */
  readonly module?: string
  /** Name of the option, prompt or limit. */
  readonly name?: string
  /** What the first has; null where it has nothing. */
  readonly a: Json
  /** What the second has; null where it has nothing. */
  readonly b: Json
}

/** How two manifests differ. */
export interface ManifestDiff {
  /**
   * Gower's distance: the mean of what the slots differ by, each from 0 to 1, and of what codec and limits do where one of
   * the two sets them. 0 exactly when the manifests mean the same.
   */
  readonly distance: number
  readonly differences: readonly ManifestDifference[]
}

const SLOTS = ['memory', 'planning', 'capability', 'action', 'plugins'] as const

/**
 * Compares two valid manifests by what they mean: defaults filled in, observers, names and ranges left out.
 *
 * @throws HarnessError `E_MANIFEST_UNKNOWN_MODULE` when a module is not in the catalog.
 */
export function diffManifests(a: Manifest, b: Manifest, catalog: Catalog): ManifestDiff {
  const [one, other] = [normalise(a, catalog), normalise(b, catalog)]
  const parts = [...SLOTS.flatMap((place) => diffSlot(place, one, other, catalog) ?? []), ...diffSettings(one, other)]
  const sum = parts.reduce((total, { distance }) => total + distance, 0)
  return {
    distance: parts.length === 0 ? 0 : sum / parts.length,
    differences: parts.flatMap(({ differences }) => differences),
  }
}

/** What two manifests differ by in one place; undefined for a place that neither has. */
type PlaceDiff = ManifestDiff

function diffSlot(
  place: (typeof SLOTS)[number],
  a: NormalManifest,
  b: NormalManifest,
  catalog: Catalog,
): PlaceDiff | undefined {
  if (place === 'plugins' && a.plugins.length + b.plugins.length === 0) return undefined
  const between = (one: NormalUse, other: NormalUse): number | undefined => {
    return one.use === other.use ? useDistance(one, other, catalog) : undefined
  }
  const { pairs, distance } = matchModules(a[place], b[place], between)
  const differences = pairs.flatMap(([one, other]): readonly ManifestDifference[] => {
    if (one === undefined || other === undefined) {
      return [{ place, kind: 'module', a: one?.use ?? null, b: other?.use ?? null }]
    }
    return diffUse(one, other, place)
  })
  return { distance, differences: joinReplacements(differences) }
}

/** One module that went and one that came are a module in the place of another. */
function joinReplacements(differences: readonly ManifestDifference[]): readonly ManifestDifference[] {
  const joined: ManifestDifference[] = []
  for (const one of differences) {
    const before = joined.at(-1)
    const isReplaced = before?.kind === 'module' && one.kind === 'module'
    if (isReplaced && before.b === null && one.a === null) joined.splice(-1, 1, { ...before, b: one.b })
    else if (isReplaced && before.a === null && one.b === null) joined.splice(-1, 1, { ...before, a: one.a })
    else joined.push(one)
  }
  return joined
}

/** The mean over all options and prompts of a module. */
function useDistance(a: NormalUse, b: NormalUse, catalog: Catalog): number {
  const scales = scalesOf(a.use, catalog)
  const options = namesOf(a.with, b.with).map((name) => valueDistance(a.with[name], b.with[name], scales(name)))
  const prompts = namesOf(a.prompts, b.prompts).map((name) => (a.prompts[name] === b.prompts[name] ? 0 : 1))
  const all = [...options, ...prompts]
  return all.length === 0 ? 0 : all.reduce((sum, one) => sum + one, 0) / all.length
}

function scalesOf(use: string, catalog: Catalog): (option: string) => OptionScale {
  const properties = catalog.find(use)?.description.options['properties']
  const schemas = new Map(typeof properties === 'object' && properties !== null ? Object.entries(properties) : [])
  return (option) => scaleOf(schemas.get(option))
}

function diffUse(a: NormalUse, b: NormalUse, place: DiffPlace): readonly ManifestDifference[] {
  const options = namesOf(a.with, b.with).filter((name) => !isSameJson(a.with[name], b.with[name]))
  const prompts = namesOf(a.prompts, b.prompts).filter((name) => a.prompts[name] !== b.prompts[name])
  return [
    ...options.map((name): ManifestDifference => {
      return { place, kind: 'option', module: a.use, name, a: a.with[name] ?? null, b: b.with[name] ?? null }
    }),
    ...prompts.map((name): ManifestDifference => {
      return { place, kind: 'prompt', module: a.use, name, a: a.prompts[name] ?? null, b: b.prompts[name] ?? null }
    }),
  ]
}

/** Codec and limits, each where one of the two says something of it. */
function diffSettings(a: NormalManifest, b: NormalManifest): readonly PlaceDiff[] {
  return [...diffCodec(a.codec, b.codec), ...diffLimits(a.limits, b.limits)]
}

function diffCodec(a: string, b: string): readonly PlaceDiff[] {
  if (a === 'auto' && b === 'auto') return []
  const differences: readonly ManifestDifference[] = [{ place: 'codec', kind: 'setting', a, b }]
  return [a === b ? { distance: 0, differences: [] } : { distance: 1, differences }]
}

function diffLimits(a: Partial<Limits>, b: Partial<Limits>): readonly PlaceDiff[] {
  const [one, other] = [a as Readonly<Record<string, Json>>, b as Readonly<Record<string, Json>>] // JSON of a manifest
  const names = namesOf(one, other)
  if (names.length === 0) return []
  const distances = names.map((name) => valueDistance(one[name], other[name], {}))
  const differences = names
    .filter((name) => !isSameJson(one[name], other[name]))
    .map((name): ManifestDifference => {
      return { place: 'limits', kind: 'setting', name, a: one[name] ?? null, b: other[name] ?? null }
    })
  return [{ distance: distances.reduce((sum, distance) => sum + distance, 0) / names.length, differences }]
}

function namesOf(a: object, b: object): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
}
