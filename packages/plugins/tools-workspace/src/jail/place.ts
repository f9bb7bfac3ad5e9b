import { lstatSync, realpathSync, statSync } from 'node:fs'
import { withCodedErrors, workspaceError } from '../errors.js'
import type { WorkspaceLimits } from '../limits.js'
import { openCheckedRoot } from './checked-folder.js'
import { hasDescriptorPaths, openDescriptorRoot } from './descriptor-folder.js'
import type { Folder } from './folder.js'
import type { Names } from './names.js'
import { assertNotProtected, isProtectedName } from './protected-names.js'

/** What a workspace holds, as far as it is known. */
export interface Holding {
  readonly entries: number
  readonly bytes: number
}

/** One jailed directory: what all operations on files start from. */
export interface Place {
  readonly limits: WorkspaceLimits
  /** Opens the root anew, and refuses another directory in its place. */
  open(): Folder
  /** True for names that are neither shown nor taken. */
  hides(name: string): boolean
  /** Throws `E_WORKSPACE_PROTECTED` for names that are not to be used. */
  assertOpen(names: Names): void
  /** Remembered between writes, so that not every write has to count the tree. */
  holding: Holding | undefined
}

/** How folders are held: by descriptors where the system can, else by checks. */
export type Hold = 'descriptors' | 'checks'

/** How a place is opened. */
export interface PlaceOptions {
  readonly limits: WorkspaceLimits
  readonly protectProjectFiles: boolean
  /** Default: the best that the system can. */
  readonly hold?: Hold
}

/** Opens a directory as a place. Throws `E_WORKSPACE_MISSING` or `E_WORKSPACE_KIND` when there is no directory. */
export function openPlace(directory: string, { limits, protectProjectFiles, hold }: PlaceOptions): Place {
  return {
    limits,
    open: findRoot(directory, hold),
    hides: (name) => protectProjectFiles && isProtectedName(name),
    assertOpen: (names) => {
      if (protectProjectFiles) assertNotProtected(names)
    },
    holding: undefined,
  }
}

/**
 * Gives what opens a directory again and again, and refuses another one in its place. A link that the host gave is
 * followed once, here.
 */
export function findRoot(directory: string, hold?: Hold): () => Folder {
  return withCodedErrors('', () => {
    if (statSync(directory, { throwIfNoEntry: false }) === undefined) {
      throw workspaceError('E_WORKSPACE_MISSING', 'The directory of the workspace does not exist.')
    }
    const root = realpathSync(directory)
    const identity = lstatSync(root, { bigint: true })
    if (!identity.isDirectory()) throw workspaceError('E_WORKSPACE_KIND', 'The workspace is not a directory.')
    const byDescriptor = hold === undefined ? hasDescriptorPaths(root) : hold === 'descriptors'
    return byDescriptor ? () => openDescriptorRoot(root, identity) : () => openCheckedRoot(root, identity)
  })
}

type Enter = (folder: Folder, name: string) => Folder

/** Walks down to a folder, holding one directory at a time. Who calls closes it. */
export function openFolder(
  place: Place,
  names: Names,
  enter: Enter = (folder: Folder, name: string) => folder.enter(name),
): Folder {
  let folder = place.open()
  for (const name of names) {
    const above = folder
    try {
      folder = enter(above, name)
    } finally {
      above.close()
    }
  }
  return folder
}

/** Walks down to a folder, and works in it. */
export function withFolder<T>(place: Place, names: Names, work: (folder: Folder) => T, enter?: Enter): T {
  const folder = openFolder(place, names, enter)
  try {
    return work(folder)
  } finally {
    folder.close()
  }
}
