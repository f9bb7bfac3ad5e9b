import type { Catalog, CatalogModule, Manifest, Slot, Use } from '@harnesswright/core'
import { problemsError } from '@harnesswright/core'
import { isRecord, type JsonRecord } from './pointer.js'
import { describeValue, makeProblem } from './problem.js'
import { SLOTS } from './slots.js'

/** One module of a manifest and its place. */
export interface PlacedUse<Value = JsonRecord> {
  readonly slot: Slot
  /** Position among the modules of its slot. */
  readonly index: number
  /** Pointer to the object with `use`. */
  readonly pointer: string
  readonly use: Value
}

/** The objects that stand for modules in a manifest, in the order in which modules tap. */
export function listUses(manifest: JsonRecord): readonly PlacedUse[] {
  return SLOTS.flatMap(({ slot, field, forms }) => {
    const value = manifest[field]
    if (isRecord(value) && forms.includes('object')) return [{ slot, index: 0, pointer: `/${field}`, use: value }]
    if (!Array.isArray(value) || !forms.includes('array')) return []
    const placed = value.map((use: unknown, index) => ({ slot, index, pointer: `/${field}/${index}`, use }))
    return placed.filter((one): one is PlacedUse => isRecord(one.use))
  })
}

/** A module of a manifest, and what the catalog knows of it. */
export interface FoundUse extends PlacedUse<Use> {
  readonly module: CatalogModule
}

/** The modules of a valid manifest in the order in which they tap. Throws when one is not in the catalog. */
export function findModules(manifest: Manifest, catalog: Catalog): readonly FoundUse[] {
  // A manifest is JSON, and what stands in the slots of a valid one are modules.
  return (listUses(manifest as unknown as JsonRecord) as unknown as readonly PlacedUse<Use>[]).map((placed) => {
    const { use, slot, pointer } = placed
    const module = catalog.find(use.use)
    if (module !== undefined) return { ...placed, module }
    const [found, expected, nearest] = [
      describeValue(use.use),
      `a module of slot ${slot}`,
      catalog.nearest(use.use, slot),
    ]
    throw problemsError([makeProblem('E_MANIFEST_UNKNOWN_MODULE', `${pointer}/use`, { found, expected, nearest })])
  })
}
