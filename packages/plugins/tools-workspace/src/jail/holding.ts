import { workspaceError } from '../errors.js'
import type { Holding, Place } from './place.js'
import { readTree } from './read-tree.js'

/** A write that is about to be made. */
interface Charge {
  /** Size of the file that is replaced, in bytes; undefined when there is none. */
  readonly before: number | undefined
  readonly after: number
  /** Largest file in bytes. */
  readonly maxBytes: number
  /** Entries that a new file may need: itself and its folders. */
  readonly levels: number
}

/**
 * Counts a write into what the workspace holds.
 *
 * The count is kept between writes and taken anew before a write is refused, so that what others removed is seen.
 * Throws `E_WORKSPACE_LIMIT`.
 */
export function chargeWrite(place: Place, charge: Charge): void {
  if (charge.after > charge.maxBytes) {
    throw limitError(`The file would have ${charge.after} bytes; it may have at most ${charge.maxBytes}.`)
  }
  const remembered = place.holding === undefined ? undefined : add(place.holding, charge)
  const next = remembered !== undefined && fits(place, remembered) ? remembered : add(measure(place), charge)
  if (!fits(place, next)) throw full(place, next)
  place.holding = next
}

/** Counts the tree anew. Throws `E_WORKSPACE_LIMIT` when it is larger than the limits allow. */
export function measureWithinLimits(place: Place): Holding {
  const holding = measure(place)
  if (!fits(place, holding)) throw full(place, holding)
  return holding
}

function measure(place: Place): Holding {
  const tree = readTree(place)
  const bytes = tree.files.reduce((sum, file) => sum + file.sizeBytes, 0)
  return { entries: tree.isComplete ? tree.entries : tree.entries + 1, bytes }
}

function add(holding: Holding, { before, after, levels }: Charge): Holding {
  const entries = before === undefined ? levels : 0
  return { entries: holding.entries + entries, bytes: holding.bytes + after - (before ?? 0) }
}

function fits({ limits }: Place, { entries, bytes }: Holding): boolean {
  return entries <= limits.totalEntries && bytes <= limits.totalBytes
}

function full({ limits }: Place, { entries, bytes }: Holding): Error {
  if (entries > limits.totalEntries) {
    return limitError(`The workspace would have more than ${limits.totalEntries} files and folders, the most it holds.`)
  }
  return limitError(`The workspace would have ${bytes} bytes; it holds at most ${limits.totalBytes}.`)
}

function limitError(message: string): Error {
  return workspaceError('E_WORKSPACE_LIMIT', message)
}
