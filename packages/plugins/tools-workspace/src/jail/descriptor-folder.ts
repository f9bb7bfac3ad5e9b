import { closeSync, fstatSync, openSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { changed, FOLDER_FLAGS, type Folder, type Identity, isSame, lookUpFolder, pathIn } from './folder.js'

// On Linux a directory is held by its descriptor, and its entries are reached through /proc/self/fd/<n>/<name>: the
// system resolves one name in that very directory, wherever it has been moved and whatever now stands at its old path.
// So there is no moment between the check of a path and its use.
const DESCRIPTORS = '/proc/self/fd'
const DELETED = ' (deleted)'

/** True where descriptors can be used as paths. */
export function hasDescriptorPaths(directory: string): boolean {
  if (process.platform !== 'linux') return false
  const descriptor = openSync(directory, FOLDER_FLAGS)
  try {
    const through = statSync(`${DESCRIPTORS}/${descriptor}`, { bigint: true, throwIfNoEntry: false })
    return through !== undefined && isSame(through, fstatSync(descriptor, { bigint: true }))
  } finally {
    closeSync(descriptor)
  }
}

/** Opens the root of a jail by its real path. Throws `E_WORKSPACE_CHANGED` when another directory stands there. */
export function openDescriptorRoot(root: string, identity: Identity): Folder {
  return openAt({ root, identity, target: root, path: '' }, identity)
}

interface Opening {
  readonly root: string
  readonly identity: Identity
  readonly target: string
  readonly path: string
}

function openAt(opening: Opening, expected: Identity): Folder {
  const descriptor = openSync(opening.target, FOLDER_FLAGS)
  const folder = descriptorFolder(descriptor, opening)
  try {
    if (!isSame(fstatSync(descriptor, { bigint: true }), expected)) throw changed(opening.path)
    folder.verify()
    return folder
  } catch (error) {
    folder.close()
    throw error
  }
}

function descriptorFolder(descriptor: number, { root, identity, path }: Opening): Folder {
  const here = `${DESCRIPTORS}/${descriptor}`
  const realPath = path === '' ? root : join(root, path)
  const folder: Folder = {
    path,
    here,
    at: (name) => `${here}/${name}`,
    enter(name) {
      const found = lookUpFolder(folder, name, identity)
      return openAt({ root, identity, target: folder.at(name), path: pathIn(folder, name) }, found)
    },
    verify() {
      if (readlinkSync(here) !== realPath) throw changed(path)
    },
    verifyOpened(file, name) {
      folder.verify()
      const opened = readlinkSync(`${DESCRIPTORS}/${file}`)
      const expected = join(realPath, name)
      // a file that was replaced since is still the one that was here
      if (opened !== expected && opened !== expected + DELETED) throw changed(pathIn(folder, name))
    },
    close: () => closeSync(descriptor),
  }
  return folder
}
