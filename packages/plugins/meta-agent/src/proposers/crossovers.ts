import type { Catalog, Manifest } from '@harnesswright/core'
import { diffManifests } from '../diff/diff-manifests.js'
import type { Slots } from '../rules/modules.js'
import { changedManifest } from './changed-manifest.js'
import { baseName, isWhole, slotsOf } from './mutations.js'

/** A manifest with slots of two. */
export interface Crossover {
  readonly manifest: Manifest
  /** Slots that come from the second. */
  readonly taken: readonly (keyof Slots)[]
  readonly change: string
}

const SLOTS = ['memory', 'planning', 'capability', 'action'] as const

/**
 * Every mixture of two manifests by slot that is neither of them: each slot with its modules, options and prompts comes whole
 * from one of the two. Plugins, codec and limits are those of the first. None where the two differ in one slot only.
 *
 * @throws HarnessError `E_MANIFEST_UNKNOWN_MODULE` when a module is not in the catalog.
 */
export function listCrossovers(a: Manifest, b: Manifest, catalog: Catalog): readonly Crossover[] {
  const [one, other] = [slotsOf(a), slotsOf(b)]
  const places = diffManifests(a, b, catalog).differences.map(({ place }) => place)
  const differing = SLOTS.filter((slot) => places.includes(slot))
  return subsetsOf(differing)
    .map((taken) => ({ taken, slots: { ...one, ...Object.fromEntries(taken.map((slot) => [slot, other[slot]])) } }))
    .filter(({ slots }) => isWhole(slots, catalog))
    .map(({ taken, slots }) => {
      const change = `${taken.join(', ')} of ${b.name}`
      const name = `${baseName(a)}×${baseName(b)}`
      const title = { name, change, operator: 'crossover', parents: [a.name, b.name] } as const
      return { manifest: changedManifest(a, slots, title, catalog), taken, change }
    })
}

/** Some of the items, but neither none nor all. */
function subsetsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const whole = 2 ** items.length - 1
  return Array.from({ length: Math.max(0, whole - 1) }, (_, index) =>
    items.filter((_item, place) => ((index + 1) >> place) & 1),
  )
}
