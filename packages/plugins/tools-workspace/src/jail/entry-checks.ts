import type { BigIntStats } from 'node:fs'
import { quote, workspaceError } from '../errors.js'
import { type Folder, lookUp, pathIn, readNames, wrongKind } from './folder.js'
import { foldName, type Names } from './names.js'

/** What a write finds at its path. */
export interface Found {
  /** Size of the file that is replaced, in bytes; undefined when there is none. */
  readonly sizeBytes: number | undefined
  /** Entries that are still to be made: the file and its folders. */
  readonly missing: number
}

/**
 * Looks at what a write would replace, before anything is made.
 *
 * Throws `E_WORKSPACE_*` when something on the way forbids the write.
 */
export function findReplaced(folder: Folder, names: Names): Found {
  const [name = '', ...below] = names
  if (!hasExactName(folder, name)) return { sizeBytes: undefined, missing: names.length }
  if (below.length === 0) {
    const replaced = assertReplaceable(folder, name)
    return replaced === undefined
      ? { sizeBytes: undefined, missing: 1 }
      : { sizeBytes: Number(replaced.size), missing: 0 }
  }
  const child = folder.enter(name)
  try {
    return findReplaced(child, below)
  } finally {
    child.close()
  }
}

/**
 * True when the folder has an entry of exactly that name. Throws `E_WORKSPACE_COLLISION` when it has none, but one that
 * some file system would take for it.
 */
function hasExactName(folder: Folder, name: string): boolean {
  const names = readNames(folder)
  if (names.includes(name)) return true
  const folded = foldName(name)
  const twin = names.find((other) => foldName(other) === folded)
  if (twin === undefined) return false
  throw collision(folder, name, twin)
}

/** Two names that some file system takes for one. */
export function collision(folder: Folder, name: string, twin: string): Error {
  const path = pathIn(folder, name)
  const message = `${quote(path)} differs only in case or in the form of letters from ${quote(twin)}, which is there. Use that name.`
  return workspaceError('E_WORKSPACE_COLLISION', message, { path })
}

/** Throws unless a write may replace the entry: a regular file with one name, which may be written. */
export function assertReplaceable(folder: Folder, name: string): BigIntStats | undefined {
  const path = pathIn(folder, name)
  const found = lookUp(folder, name)
  if (found === undefined) return undefined
  if (!found.isFile()) throw wrongKind(path, found, 'file')
  if (found.nlink > 1n) {
    const message = `${quote(path)} has several names (hard links), so it is not written. Write to another path.`
    throw workspaceError('E_WORKSPACE_LINK', message, { path })
  }
  if ((found.mode & 0o222n) === 0n) {
    throw workspaceError('E_WORKSPACE_READ_ONLY', `${quote(path)} is read-only. Write to another path.`, { path })
  }
  return found
}
