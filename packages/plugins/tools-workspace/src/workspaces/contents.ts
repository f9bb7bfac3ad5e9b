import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { workspaceError } from '../errors.js'
import { assertWithinLimits } from '../jail/holding.js'
import type { Place } from '../jail/place.js'
import { type FileContent, openReader, readFile } from '../jail/read-file.js'
import { readTree, type TreeOddity } from '../jail/read-tree.js'
import { writeFile } from '../jail/write-file.js'
import type { Contents } from './plan-merge.js'

/** What a workspace holds: its files, and what cannot be copied. */
export interface Snapshot {
  readonly contents: Contents
  readonly oddities: readonly TreeOddity[]
}

/** Hashes all files. Rejects with `E_WORKSPACE_LIMIT` when there is more than a workspace may hold. */
export async function takeSnapshot(place: Place, each?: (path: string, file: FileContent) => void): Promise<Snapshot> {
  const tree = readTree(place)
  assertWithinLimits(place, tree)
  const contents = new Map<string, string>()
  const reader = openReader(place)
  try {
    for (const { path } of tree.files) {
      await nextTurn()
      const file = reader.read(path, place.limits.totalBytes)
      contents.set(path, createHash('sha256').update(file.bytes).digest('hex'))
      each?.(path, file)
    }
  } finally {
    reader.close()
  }
  return { contents, oddities: tree.oddities }
}

/** Copies all files to an empty place. Rejects with `E_WORKSPACE_LINK` when there is something that is no file. */
export async function copyAll(from: Place, to: Place): Promise<Contents> {
  const { contents, oddities } = await takeSnapshot(from, (path, file) => {
    writeFile(to, path, { ...file, maxBytes: to.limits.totalBytes, isCopy: true })
  })
  assertPlain(oddities)
  return contents
}

/** Throws `E_WORKSPACE_LINK` when there is something that cannot be copied. */
export function assertPlain([first, ...others]: readonly TreeOddity[]): void {
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  const message = `${JSON.stringify(first.path)} is ${first.what}${more}, which is not copied. Remove or replace it first.`
  throw workspaceError('E_WORKSPACE_LINK', message, { path: first.path })
}

/** Copies one file, with its permission bits, over what is there. */
export function copyOne(from: Place, to: Place, path: string): void {
  writeFile(to, path, { ...readFile(from, path, from.limits.totalBytes), maxBytes: to.limits.totalBytes })
}
