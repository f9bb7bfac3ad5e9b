import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Tool } from '@harnesswright/core'
import { workspaceError } from '../errors.js'
import type { WorkspaceOptions } from '../jail/jail.js'
import { findRoot } from '../jail/place.js'
import { removeTree } from '../jail/remove-tree.js'
import { type DirectoryWorkspaces, fromStore, toPlaceOptions } from './create-workspaces.js'
import { createStore } from './store.js'

const MAIN = 'main'

/** How one directory is opened as the workspace of a run. */
export interface OpenWorkspaceOptions extends WorkspaceOptions {
  /** Where forks for child runs are kept, outside the directory. Default: a temporary folder, made when first needed. */
  readonly forks?: string
}

/** One directory as the workspace of a run. */
export interface OpenedWorkspace {
  readonly workspaces: DirectoryWorkspaces
  /** The id of the directory: `main`. */
  readonly id: string
  /** The five tools, for the environment. */
  readonly tools: readonly Tool[]
  /** Deletes the temporary folder of the forks, if one was made. */
  close(): void
}

/**
 * Opens a directory where it stands as the workspace of a run; forks for its child runs live elsewhere.
 *
 * @example
 * ```ts
 * const { workspaces, id, tools } = openWorkspace('.', { protectProjectFiles: true })
 * ```
 * @throws HarnessError `E_WORKSPACE_MISSING` or `E_WORKSPACE_KIND` when it is no directory, `E_WORKSPACE_OPTION` when a
 * limit is no positive integer or `forks` is inside the directory.
 */
export function openWorkspace(directory: string, options: OpenWorkspaceOptions = {}): OpenedWorkspace {
  const place = toPlaceOptions(options)
  findRoot(directory) // throws when there is no directory
  const realDirectory = realpathSync(directory)
  const forks = prepareForks(options.forks, realDirectory)
  const store = createStore({ root: forks.root, place, adopted: { id: MAIN, directory: realDirectory } })
  const workspaces = fromStore(store)
  return Object.freeze<OpenedWorkspace>({ workspaces, id: MAIN, tools: workspaces.tools(), close: forks.close })
}

interface Forks {
  root(): string
  close(): void
}

function prepareForks(given: string | undefined, directory: string): Forks {
  if (given !== undefined) {
    const root = resolve(given)
    assertOutside(root, directory)
    return { root: () => root, close: () => undefined }
  }
  let temporary: string | undefined
  return {
    root() {
      if (temporary === undefined) {
        assertOutside(tmpdir(), directory)
        temporary = mkdtempSync(join(tmpdir(), 'harnesswright-forks-'))
      }
      return temporary
    },
    close() {
      if (temporary !== undefined) removeTree(temporary)
      temporary = undefined
    },
  }
}

function assertOutside(forks: string, directory: string): void {
  const way = relative(directory, realPathOf(forks))
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return
  const message = 'The forks would be inside the workspace. Give "forks" a directory elsewhere.'
  throw workspaceError('E_WORKSPACE_OPTION', message)
}

/** The real path of what may not be there yet. */
function realPathOf(path: string): string {
  return existsSync(path) || dirname(path) === path
    ? realpathSync(path)
    : join(realPathOf(dirname(path)), basename(path))
}
