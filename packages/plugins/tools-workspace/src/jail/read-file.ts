import { type BigIntStats, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { quote, withCodedErrors, workspaceError } from '../errors.js'
import { changed, type Folder, isSame, lookUp, missing, pathIn, READ_FLAGS, wrongKind } from './folder.js'
import { parseFilePath } from './names.js'
import { openFolder, type Place } from './place.js'

/** A file's content and its permission bits. */
export interface FileContent {
  readonly bytes: Buffer
  readonly mode: number
}

/** Reads a whole file of at most `maxBytes`. Throws `E_WORKSPACE_*`. */
export function readFile(place: Place, path: string, maxBytes: number): FileContent {
  const reader = openReader(place)
  try {
    return reader.read(path, maxBytes)
  } finally {
    reader.close()
  }
}

/** Reads one file after another. */
export interface FileReader {
  /** As `readFile`. */
  read(path: string, maxBytes: number): FileContent
  /** Lets go of the folder that is held. */
  close(): void
}

/** A reader that holds the folder of the last file, as the next one is often beside it. Who opens it closes it. */
export function openReader(place: Place): FileReader {
  let held: Folder | undefined
  const close = (): void => {
    held?.close()
    held = undefined
  }
  const read: FileReader['read'] = (path, maxBytes) => {
    const { folder, name } = parseFilePath(path)
    place.assertOpen([...folder, name])
    const isHeld = held?.path === folder.join('/')
    if (!isHeld) close()
    try {
      return withCodedErrors(path, () => {
        held ??= openFolder(place, folder)
        return readEntry(held, name, maxBytes)
      })
    } catch (error) {
      close()
      if (isHeld) return read(path, maxBytes) // another folder may stand there by now
      throw error
    }
  }
  return { read, close }
}

function readEntry(folder: Folder, name: string, maxBytes: number): FileContent {
  const path = pathIn(folder, name)
  const found = lookUp(folder, name)
  if (found === undefined) throw missing(path, 'file')
  if (!found.isFile()) throw wrongKind(path, found, 'file')
  const file = openSync(folder.at(name), READ_FLAGS)
  try {
    const { size } = assertOpened(folder, name, { file, found })
    return { bytes: readAtMost(file, Number(size), { maxBytes, path }), mode: Number(found.mode & 0o777n) }
  } finally {
    closeSync(file)
  }
}

function assertOpened(folder: Folder, name: string, opening: { file: number; found: BigIntStats }): BigIntStats {
  const opened = fstatSync(opening.file, { bigint: true })
  if (!opened.isFile() || !isSame(opened, opening.found)) throw changed(pathIn(folder, name))
  folder.verifyOpened(opening.file, name)
  return opened
}

// The size is not trusted: a file may grow while it is read, and those of /proc say 0.
function readAtMost(file: number, size: number, { maxBytes, path }: { maxBytes: number; path: string }): Buffer {
  if (size > maxBytes) throw tooLarge(path, maxBytes)
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(size - total, 0) + 1024)
    const length = readSync(file, chunk)
    if (length === 0) return Buffer.concat(chunks, total)
    total += length
    if (total > maxBytes) throw tooLarge(path, maxBytes)
    chunks.push(chunk.subarray(0, length))
  }
}

function tooLarge(path: string, maxBytes: number): Error {
  return workspaceError(
    'E_WORKSPACE_LIMIT',
    `${quote(path)} is larger than ${maxBytes} bytes, the most that is read.`,
    {
      path,
      maxBytes,
    },
  )
}
