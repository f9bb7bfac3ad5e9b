import { randomUUID } from 'node:crypto'
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { withCodedErrors } from '../errors.js'
import { assertReplaceable, collision, type Found, findReplaced } from './entry-checks.js'
import { CREATE_FLAGS, changed, type Folder, type Identity, isSame, lookUp, pathIn } from './folder.js'
import { chargeWrite } from './holding.js'
import { parseFilePath } from './names.js'
import { type Place, withFolder } from './place.js'

/** Bytes to write, and with which permission bits. */
export interface FileWrite {
  readonly bytes: Uint8Array
  /** Default: those of the file that is replaced, or what the process gives new files. */
  readonly mode?: number | undefined
  /** Largest file in bytes. */
  readonly maxBytes: number
  /** The file is copied to an empty workspace: nothing is replaced, so names need not be compared. Default false. */
  readonly isCopy?: boolean
}

/** What a write did. */
export interface Written {
  /** Size of the file before, in bytes; undefined when it is new. */
  readonly sizeBeforeBytes: number | undefined
}

// What is copied was within the limits where it comes from; its folders are not counted again.
const COPY: Found = { sizeBytes: undefined, missing: 1 }

/**
 * Makes or replaces a file as one act, with the folders it needs: who reads meanwhile sees the old file or the new one.
 *
 * Throws `E_WORKSPACE_*`; then nothing was changed, but for folders that may have been made.
 */
export function writeFile(place: Place, path: string, write: FileWrite): Written {
  const { folder, name } = parseFilePath(path)
  const names = [...folder, name]
  place.assertOpen(names)
  return withCodedErrors(path, () => {
    const found = write.isCopy ? COPY : withFolder(place, [], (root) => findReplaced(root, names))
    chargeWrite(place, { ...found, bytes: write.bytes.length, maxBytes: write.maxBytes })
    withFolder(place, folder, (parent) => replaceEntry(parent, name, write), enterOrMake)
    return { sizeBeforeBytes: found.sizeBytes }
  })
}

function enterOrMake(parent: Folder, name: string): Folder {
  if (lookUp(parent, name) === undefined) {
    parent.verify()
    mkdirSync(parent.at(name))
  }
  return parent.enter(name)
}

function replaceEntry(folder: Folder, name: string, write: FileWrite): void {
  const replaced = assertReplaceable(folder, name)
  if (write.isCopy && replaced !== undefined) throw collision(folder, name, name)
  const mode = write.mode ?? (replaced === undefined ? undefined : Number(replaced.mode & 0o777n))
  const temporary = `.harnesswright-${randomUUID()}.tmp`
  const identity = writeTemporary(folder, temporary, { ...write, mode })
  try {
    folder.verify()
    renameSync(folder.at(temporary), folder.at(name))
  } catch (error) {
    removeIfSame(folder, temporary, identity)
    throw error
  }
  assertWritten(folder, name, { identity, isNew: replaced === undefined })
}

function writeTemporary(folder: Folder, name: string, { bytes, mode }: FileWrite): Identity {
  folder.verify()
  const file = openSync(folder.at(name), CREATE_FLAGS, 0o666)
  const identity = fstatSync(file, { bigint: true })
  try {
    folder.verifyOpened(file, name)
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    if (mode !== undefined) fchmodSync(file, mode)
    return identity
  } catch (error) {
    removeIfSame(folder, name, identity)
    throw error
  } finally {
    closeSync(file)
  }
}

/**
 * The file under the name must be ours and its folder where it was. If the folder was taken away, a new file goes again;
 * one that replaced another stays with it, as nothing could bring the other back.
 */
function assertWritten(folder: Folder, name: string, written: { identity: Identity; isNew: boolean }): void {
  try {
    folder.verify()
  } catch (error) {
    if (written.isNew) removeIfSame(folder, name, written.identity)
    throw error
  }
  const now = lookUp(folder, name)
  if (now === undefined || !isSame(now, written.identity)) throw changed(pathIn(folder, name))
}

function removeIfSame(folder: Folder, name: string, identity: Identity): void {
  const now = lookUp(folder, name)
  if (now !== undefined && isSame(now, identity)) unlinkSync(folder.at(name))
}
