import { existsSync, mkdirSync, realpathSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { quote, workspaceError } from '../errors.js'
import { openPlace, type Place, type PlaceOptions } from '../jail/place.js'
import { removeTree } from '../jail/remove-tree.js'
import type { WorkspaceLimits } from '../limits.js'
import { toDirectoryName } from './directory-name.js'
import type { Contents } from './plan-merge.js'
import { readBase, writeRecord } from './record.js'

/** Where workspaces are kept. */
export interface StoreOptions {
  /** The directory above all workspaces; made when first needed. */
  readonly root: () => string
  readonly place: PlaceOptions
  /** A directory of the host that is a workspace where it stands. */
  readonly adopted?: { readonly id: string; readonly directory: string }
}

/** Finds, adds and deletes workspaces: each is a directory with its files and, beside them, its record. */
export interface Store {
  readonly limits: WorkspaceLimits
  has(id: string): boolean
  /** Throws `E_WORKSPACE_UNKNOWN`. */
  directory(id: string): string
  /** Throws `E_WORKSPACE_UNKNOWN`. */
  place(id: string): Place
  /** What a fork was at the beginning; empty for a workspace that is no fork. */
  base(id: string): Contents
  /** Adds a workspace that is complete or not there at all. Throws `E_WORKSPACE_EXISTS`. */
  add(id: string, fill: (place: Place) => Promise<Contents>): Promise<void>
  /** Deletes a workspace, if it is there. Throws `E_WORKSPACE_PROTECTED` for the host's own directory. */
  remove(id: string): void
}

/** Makes a store. */
export function createStore({ root, place: placeOptions, adopted }: StoreOptions): Store {
  const places = new Map<string, Place>()
  const isAdopted = (id: string) => adopted !== undefined && id === adopted.id
  const home = (id: string) => join(root(), toDirectoryName(id))
  const files = (id: string) => (adopted !== undefined && id === adopted.id ? adopted.directory : filesIn(home(id)))
  const has = (id: string) => isAdopted(id) || existsSync(files(id))
  const assertKnown = (id: string) => {
    if (!has(id)) throw workspaceError('E_WORKSPACE_UNKNOWN', `There is no workspace ${quote(id)}.`, { id })
  }
  return {
    limits: placeOptions.limits,
    has,
    directory(id) {
      assertKnown(id)
      return realpathSync(files(id))
    },
    place(id) {
      assertKnown(id)
      const place = places.get(id) ?? openPlace(files(id), placeOptions)
      places.set(id, place)
      return place
    },
    base: (id) => (isAdopted(id) ? new Map() : readBase(home(id))),
    async add(id, fill) {
      if (has(id)) throw workspaceError('E_WORKSPACE_EXISTS', `There is a workspace ${quote(id)} already.`, { id })
      const draft = `${home(id)}.new`
      removeTree(draft) // of a process that ended before it was done
      mkdirSync(filesIn(draft), { recursive: true })
      try {
        writeRecord(draft, id, await fill(openPlace(filesIn(draft), placeOptions)))
        renameSync(draft, home(id))
      } catch (error) {
        removeTree(draft)
        throw error
      }
    },
    remove(id) {
      if (isAdopted(id)) {
        const message = `The workspace ${quote(id)} is a directory of the host; it is not deleted.`
        throw workspaceError('E_WORKSPACE_PROTECTED', message, { id })
      }
      places.delete(id)
      const doomed = `${home(id)}.old`
      removeTree(doomed)
      if (!has(id)) return
      renameSync(home(id), doomed)
      removeTree(doomed)
    },
  }
}

function filesIn(directory: string): string {
  return join(directory, 'files')
}
