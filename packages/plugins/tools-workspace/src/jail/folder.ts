import { type BigIntStats, constants, lstatSync, opendirSync } from 'node:fs'
import { quote, workspaceError } from '../errors.js'

/** Who a file is, whatever its name. */
export interface Identity {
  readonly dev: bigint
  readonly ino: bigint
}

/** A directory that is held for the time of one operation. */
export interface Folder {
  /** From the root of the jail, with `/`; empty for the root. */
  readonly path: string
  /** Where the system finds the folder itself. */
  readonly here: string
  /** Where the system finds the entry of that name, without a link in between. */
  at(name: string): string
  /** Opens a folder in it without following links. Throws `E_WORKSPACE_*` when there is none. */
  enter(name: string): Folder
  /** Throws `E_WORKSPACE_CHANGED` unless the folder is still where it was opened, inside the root. */
  verify(): void
  /** The same for the file that was opened under that name. */
  verifyOpened(file: number, name: string): void
  close(): void
}

// Windows lacks some of these; what is missing there asks for nothing.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0, O_DIRECTORY = 0 } = constants as Partial<typeof constants>

/** Opening that neither follows a link nor waits: a FIFO that takes the place of a file must not hang us. */
export const READ_FLAGS: number = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
/** Opening of a directory that is no link. */
export const FOLDER_FLAGS: number = READ_FLAGS | O_DIRECTORY
/** Making a file that was not there. */
export const CREATE_FLAGS: number = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW

/** More than this many entries in one folder are refused: they could not be given in order. */
const FOLDER_ENTRIES = 100_000

/** The path of an entry, from the root of the jail. */
export function pathIn(folder: Folder, name: string): string {
  return folder.path === '' ? name : `${folder.path}/${name}`
}

/** What stands under the name, a link itself and not its target; undefined when nothing does. */
export function lookUp(folder: Folder, name: string): BigIntStats | undefined {
  return lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false })
}

/** True when both are the same file. */
export function isSame(a: Identity, b: Identity): boolean {
  return a.dev === b.dev && a.ino === b.ino
}

/** The names in a folder, in order. Throws `E_WORKSPACE_LIMIT` when there are too many. */
export function readNames(folder: Folder): readonly string[] {
  const names: string[] = []
  const reader = opendirSync(folder.here, { bufferSize: 256 })
  try {
    for (let entry = reader.readSync(); entry !== null; entry = reader.readSync()) {
      names.push(entry.name)
      if (names.length > FOLDER_ENTRIES) throw tooManyEntries(folder.path)
    }
  } finally {
    reader.closeSync()
  }
  return names.sort()
}

function tooManyEntries(path: string): Error {
  const shown = path === '' ? 'The workspace' : `The folder ${quote(path)}`
  return workspaceError('E_WORKSPACE_LIMIT', `${shown} has more than ${FOLDER_ENTRIES} entries.`, { path })
}

/** Says what an entry is, in a word for messages. */
export function kindOf(stats: BigIntStats): string {
  if (stats.isFile()) return 'a file'
  if (stats.isDirectory()) return 'a folder'
  if (stats.isSymbolicLink()) return 'a link'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

/** What is found at a path, when something else was expected there. */
export function wrongKind(path: string, stats: BigIntStats, expected: 'file' | 'folder'): Error {
  const found = kindOf(stats)
  const message = `${quote(path)} is ${found}, not a ${expected}.`
  if (stats.isSymbolicLink()) {
    return workspaceError('E_WORKSPACE_LINK', `${message} Links are never followed.`, { path })
  }
  const advice = stats.isDirectory() ? ' list_files shows what is in it.' : ''
  return workspaceError('E_WORKSPACE_KIND', `${message}${advice}`, { path })
}

/** There is nothing at the path. */
export function missing(path: string, expected: 'file' | 'folder'): Error {
  return workspaceError('E_WORKSPACE_MISSING', `There is no ${expected} ${quote(path)} in the workspace.`, { path })
}

/** Something else is at the path than a moment ago. */
export function changed(path: string): Error {
  const shown = path === '' ? 'The workspace' : quote(path)
  return workspaceError('E_WORKSPACE_CHANGED', `${shown} changed while it was used. Try again.`, { path })
}

/** Looks up a folder to enter, and refuses what is none or lies on another file system. */
export function lookUpFolder(folder: Folder, name: string, root: Identity): BigIntStats {
  const path = pathIn(folder, name)
  const found = lookUp(folder, name)
  if (found === undefined) throw missing(path, 'folder')
  if (!found.isDirectory()) throw wrongKind(path, found, 'folder')
  if (found.dev !== root.dev) {
    throw workspaceError('E_WORKSPACE_KIND', `${quote(path)} is another file system, not a folder of the workspace.`, {
      path,
    })
  }
  return found
}
