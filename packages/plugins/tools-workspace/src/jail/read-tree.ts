import { isHarnessError } from '@harnesswright/core'
import { withCodedErrors } from '../errors.js'
import { type Folder, kindOf, lookUp, missing, pathIn, readNames } from './folder.js'
import { comparePaths, faultOfName, isDeepest, isTemporaryName, parsePath } from './names.js'
import { type Place, withFolder } from './place.js'

/** A file of a workspace. */
export interface WorkspaceFile {
  /** From the root of the workspace, with `/` between folders. */
  readonly path: string
  readonly sizeBytes: number
}

/** An entry that no tool can use: a link, a pipe, a name that not every system takes, … */
export interface TreeOddity {
  readonly path: string
  readonly what: string
}

/** All files below a path, in order. */
export interface Tree {
  readonly files: readonly WorkspaceFile[]
  readonly oddities: readonly TreeOddity[]
  /** Files, folders and oddities together. */
  readonly entries: number
  /** False when the walk stopped at the limit. */
  readonly isComplete: boolean
}

interface Walk {
  readonly place: Place
  readonly files: WorkspaceFile[]
  readonly oddities: TreeOddity[]
  entries: number
}

/** Reads the tree below a folder, or the one file at the path. It stops after `limits.totalEntries` entries. */
export function readTree(place: Place, path = ''): Tree {
  const names = parsePath(path)
  place.assertOpen(names)
  const walk: Walk = { place, files: [], oddities: [], entries: 0 }
  const last = names.at(-1)
  const isComplete = withCodedErrors(path, () =>
    withFolder(place, names.slice(0, -1), (folder) =>
      last === undefined ? walkFolder(walk, folder) : walkEntry(walk, folder, last),
    ),
  )
  const byPath = (a: WorkspaceFile | TreeOddity, b: WorkspaceFile | TreeOddity) => comparePaths(a.path, b.path)
  return { files: walk.files.sort(byPath), oddities: walk.oddities.sort(byPath), entries: walk.entries, isComplete }
}

/** Gives false when the limit is reached. */
function walkFolder(walk: Walk, folder: Folder): boolean {
  for (const name of readNames(folder)) {
    if (walk.place.hides(name) || isTemporaryName(name)) continue
    if (walk.entries >= walk.place.limits.totalEntries) return false
    if (!addEntry(walk, folder, name)) return false
  }
  return true
}

/** The entry that a path names: unlike those met on the way, it must be a file or a folder. */
function walkEntry(walk: Walk, folder: Folder, name: string): boolean {
  const found = lookUp(folder, name)
  if (found === undefined) throw missing(pathIn(folder, name), 'folder')
  return found.isFile() ? addEntry(walk, folder, name) : walkAndClose(walk, folder.enter(name))
}

function addEntry(walk: Walk, folder: Folder, name: string): boolean {
  const path = pathIn(folder, name)
  const fault = faultOfName(name)
  if (fault !== undefined) return addOddity(walk, path, `an entry that ${fault}`)
  const found = lookUp(folder, name)
  if (found === undefined) return true // gone since its name was read
  if (found.isDirectory()) {
    if (isDeepest(path)) return addOddity(walk, path, 'a folder too deep to be used')
    walk.entries++
    return tryToWalk(walk, folder, name)
  }
  if (!found.isFile()) return addOddity(walk, path, kindOf(found))
  walk.entries++
  walk.files.push({ path, sizeBytes: Number(found.size) })
  return true
}

function addOddity(walk: Walk, path: string, what: string): boolean {
  walk.entries++
  walk.oddities.push({ path, what })
  return true
}

function tryToWalk(walk: Walk, folder: Folder, name: string): boolean {
  const path = pathIn(folder, name)
  let child: Folder
  try {
    child = withCodedErrors(path, () => folder.enter(name))
  } catch (error) {
    if (!isHarnessError(error)) throw error
    walk.oddities.push({ path, what: 'a folder that cannot be opened' })
    return true
  }
  return walkAndClose(walk, child)
}

function walkAndClose(walk: Walk, folder: Folder): boolean {
  try {
    return walkFolder(walk, folder)
  } finally {
    folder.close()
  }
}
