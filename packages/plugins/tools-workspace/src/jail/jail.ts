import { workspaceError } from '../errors.js'
import { parseLimits, type WorkspaceLimits } from '../limits.js'
import { openPlace, type Place } from './place.js'
import { readFile } from './read-file.js'
import { readTree, type WorkspaceFile } from './read-tree.js'
import { removeFile } from './remove.js'
import { decodeText, encodeText } from './text.js'
import { writeFile } from './write-file.js'

/** How a directory is opened. */
export interface WorkspaceOptions {
  /** Limits other than the defaults. */
  readonly limits?: Partial<WorkspaceLimits>
  /** Refuse and hide dot-files, `node_modules`, lock files and `harnesswright.config.*`. Default false. */
  readonly protectProjectFiles?: boolean
}

/**
 * One directory that nothing can be reached from: files are read and written in it under the rules the tools keep.
 *
 * Paths are relative to the directory, with `/` between folders. Every method throws a `HarnessError` `E_WORKSPACE_*`
 * whose message names no path of the host.
 */
export interface Jail {
  /**
   * The bytes of a file.
   *
   * @throws HarnessError `E_WORKSPACE_MISSING`, `E_WORKSPACE_KIND`, `E_WORKSPACE_LINK`, `E_WORKSPACE_PATH`,
   * `E_WORKSPACE_PROTECTED`, `E_WORKSPACE_LIMIT`, `E_WORKSPACE_CHANGED` or `E_WORKSPACE_SYSTEM`.
   */
  read(path: string): Uint8Array
  /**
   * The text of a file in UTF-8.
   *
   * @throws HarnessError `E_WORKSPACE_TEXT` when it is no UTF-8, and those of `read`.
   */
  readText(path: string): string
  /**
   * Makes or replaces a file as one act, with the folders it needs. Text is written as UTF-8.
   *
   * @throws HarnessError `E_WORKSPACE_COLLISION`, `E_WORKSPACE_READ_ONLY`, `E_WORKSPACE_TEXT` (half of a surrogate
   * pair), and those of `read`.
   */
  write(path: string, content: Uint8Array | string): void
  /** Removes a file, and the folders that are empty then. Throws as `read` does. */
  remove(path: string): void
  /**
   * All files, or those below a folder, in the order of their paths. Links, devices and the like are not in it.
   *
   * @throws HarnessError `E_WORKSPACE_LIMIT` when there are more than `limits.totalEntries`, and those of `read`.
   */
  list(path?: string): readonly WorkspaceFile[]
}

/**
 * Opens a directory as a jail, for hosts that bring or fetch files.
 *
 * @throws HarnessError `E_WORKSPACE_MISSING` or `E_WORKSPACE_KIND` when it is no directory, `E_WORKSPACE_OPTION` when a
 * limit is none.
 */
export function openJail(directory: string, options: WorkspaceOptions = {}): Jail {
  const { protectProjectFiles = false } = options
  return toJail(openPlace(directory, { limits: parseLimits(options.limits), protectProjectFiles }))
}

/** The jail of a place. */
export function toJail(place: Place): Jail {
  const { fileBytes, totalEntries } = place.limits
  const read = (path: string) => readFile(place, path, fileBytes).bytes
  return Object.freeze<Jail>({
    read,
    readText: (path) => decodeText(read(path), path),
    write(path, content) {
      const bytes = typeof content === 'string' ? encodeText(content, path) : content
      writeFile(place, path, { bytes, maxBytes: fileBytes })
    },
    remove: (path) => removeFile(place, path),
    list(path = '') {
      const { files, isComplete } = readTree(place, path)
      if (isComplete) return files
      throw workspaceError('E_WORKSPACE_LIMIT', `There are more than ${totalEntries} files and folders.`)
    },
  })
}
