import { fstatSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { changed, type Folder, type Identity, isSame, lookUpFolder, pathIn } from './folder.js'

// Where a descriptor cannot be used as a path, a folder is the chain of directories that lead to it, each remembered by
// its identity, and the whole chain is looked at again before and after each use. Links, other directories and entries
// of other kinds that are there are refused as surely as with descriptors. But between a look and a use there is a
// moment, and a program that may write to the workspace and swaps directories for links all the time will hit it now
// and then. The tools themselves can make no links.
interface Link extends Identity {
  readonly target: string
}

/** Opens the root of a jail by its real path. Throws `E_WORKSPACE_CHANGED` when another directory stands there. */
export function openCheckedRoot(root: string, identity: Identity): Folder {
  const folder = checkedFolder([{ target: root, dev: identity.dev, ino: identity.ino }], '')
  folder.verify()
  return folder
}

function checkedFolder(chain: readonly [Link, ...Link[]], path: string): Folder {
  const here = chain.at(-1)?.target ?? chain[0].target
  const folder: Folder = {
    path,
    here,
    at: (name) => join(here, name),
    enter(name) {
      folder.verify()
      const { dev, ino } = lookUpFolder(folder, name, chain[0])
      const entered = checkedFolder([...chain, { target: folder.at(name), dev, ino }], pathIn(folder, name))
      entered.verify()
      return entered
    },
    verify() {
      for (const link of chain) {
        const now = lstatSync(link.target, { bigint: true, throwIfNoEntry: false })
        if (now === undefined || !now.isDirectory() || !isSame(now, link)) throw changed(path)
      }
    },
    verifyOpened(file, name) {
      folder.verify()
      const now = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false })
      if (now === undefined || !isSame(now, fstatSync(file, { bigint: true }))) throw changed(pathIn(folder, name))
      folder.verify()
    },
    close: () => undefined,
  }
  return folder
}
