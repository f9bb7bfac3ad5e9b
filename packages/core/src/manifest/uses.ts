import type { Manifest, Slot, Use } from '../protocol/index.js'
import type { Catalog, CatalogModule } from './catalog.js'
import { SLOTS } from './envelope.js'
import { isRecord, type JsonRecord, joinPointer } from './pointer.js'
import { describeValue, makeProblem, type Problem, problemsError } from './problem.js'

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
    const [value, pointer] = [manifest[field], joinPointer('', field)]
    if (isRecord(value) && forms.includes('object')) return [{ slot, index: 0, pointer, use: value }]
    if (!Array.isArray(value) || !forms.includes('array')) return []
    const placed = value.map((use: unknown, index) => ({ slot, index, pointer: joinPointer(pointer, index), use }))
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
  return listUses(manifest as unknown as JsonRecord).map((placed) => {
    const module = catalog.find(String(placed.use['use']))
    if (module === undefined) throw problemsError([unknownModule(placed, catalog)])
    return { ...placed, use: placed.use as unknown as Use, module }
  })
}

/** The problem of a name that is not in the catalog. */
export function unknownModule({ use, slot, pointer }: PlacedUse, catalog: Catalog): Problem {
  const name = String(use['use'])
  const nearest = catalog.nearest(name, slot)
  const expected = `an installed module of slot ${slot}`
  return makeProblem('E_MANIFEST_UNKNOWN_MODULE', `${pointer}/use`, { found: describeValue(name), expected, nearest })
}
