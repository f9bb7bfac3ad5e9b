import { workspaceError } from '../errors.js'
import type { Found } from './entry-checks.js'
import type { Holding, Place } from './place.js'
import { readTree, type Tree } from './read-tree.js'

/** A write that is about to be made. */
interface Charge extends Found {
  /** Size of the new content, in bytes, and the largest that it may have. */
  readonly bytes: number
  readonly maxBytes: number
}

/**
 * Counts a write into what the workspace holds.
 *
 * The count is kept between writes and taken anew before a write is refused, so that what others removed is seen.
 * Throws `E_WORKSPACE_LIMIT`.
 */
export function chargeWrite(place: Place, charge: Charge): void {
  if (charge.bytes > charge.maxBytes) {
    throw limitError(`The file would have ${charge.bytes} bytes; it may have at most ${charge.maxBytes}.`)
  }
  const isNew = charge.missing > 0
  const remembered = place.holding === undefined ? undefined : add(place.holding, charge)
  const next =
    remembered !== undefined && fits(place, remembered, isNew) ? remembered : add(measure(readTree(place)), charge)
  if (!fits(place, next, isNew)) throw full(place, next)
  place.holding = next
}

/** Throws `E_WORKSPACE_LIMIT` when the tree is larger than the limits allow. */
export function assertWithinLimits(place: Place, tree: Tree): void {
  const holding = measure(tree)
  if (!fits(place, holding, true)) throw full(place, holding)
}

function measure(tree: Tree): Holding {
  const bytes = tree.files.reduce((sum, file) => sum + file.sizeBytes, 0)
  return { entries: tree.isComplete ? tree.entries : tree.entries + 1, bytes }
}

function add(holding: Holding, { sizeBytes = 0, bytes, missing }: Charge): Holding {
  return { entries: holding.entries + missing, bytes: holding.bytes + bytes - sizeBytes }
}

/** Entries count only where some are added: what is there may be replaced even where there is too much. */
function fits({ limits }: Place, { entries, bytes }: Holding, isNew: boolean): boolean {
  return (!isNew || entries <= limits.totalEntries) && bytes <= limits.totalBytes
}

function full({ limits }: Place, { bytes }: Holding): Error {
  if (bytes <= limits.totalBytes) {
    return limitError(`The workspace would have more than ${limits.totalEntries} files and folders, the most it holds.`)
  }
  return limitError(`The workspace would have ${bytes} bytes; it holds at most ${limits.totalBytes}.`)
}

function limitError(message: string): Error {
  return workspaceError('E_WORKSPACE_LIMIT', message)
}
