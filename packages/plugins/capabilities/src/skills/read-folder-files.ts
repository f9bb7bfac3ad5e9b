import { constants, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { skillError } from './errors.js'

/** Bounds of one skill: bytes of one file and of all, files, and levels of folders. */
const MOST_FILE_BYTES = 256 * 1024
const MOST_BYTES = 4 * 1024 * 1024
const MOST_FILES = 500
const MOST_DEPTH = 8

/** Folders that hold other people's code. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '__pycache__'])

/** The texts of a folder by path, and what of it is no text that can be loaded, with the reason. */
export interface FolderFiles {
  readonly files: Readonly<Record<string, string>>
  readonly leftOut: Readonly<Record<string, string>>
}

/**
 * Reads the texts of a folder and of those in it. What is a link, no regular file, no UTF-8 text or too large is left out and
 * said; names that begin with a dot are passed over.
 *
 * @throws HarnessError `E_SKILL_LIMIT` when there are too many files, too much text or too many levels.
 */
export async function readFolderFiles(root: string): Promise<FolderFiles> {
  const files: [string, string][] = []
  const leftOut: [string, string][] = []
  let bytes = 0
  for (const { path, entry } of await walk(root, [])) {
    const read = await readText(join(root, ...path), entry)
    const name = path.join('/')
    if (read.why === undefined) files.push([name, read.text])
    else leftOut.push([name, read.why])
    bytes += read.text?.length ?? 0
    if (bytes > MOST_BYTES) throw tooMuch(root, `more than ${MOST_BYTES / 1024 / 1024} MB of text`)
  }
  return { files: Object.fromEntries(files), leftOut: Object.fromEntries(leftOut) }
}

interface Found {
  readonly path: readonly string[]
  readonly entry: Dirent
}

async function walk(root: string, inside: readonly string[]): Promise<readonly Found[]> {
  if (inside.length > MOST_DEPTH) throw tooMuch(root, `folders more than ${MOST_DEPTH} levels deep`)
  const entries = await readdir(join(root, ...inside), { withFileTypes: true })
  const found: Found[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || PASSED_OVER.has(entry.name)) continue
    const path = [...inside, entry.name]
    if (entry.isDirectory()) found.push(...(await walk(root, path)))
    else found.push({ path, entry })
    if (found.length > MOST_FILES) throw tooMuch(root, `more than ${MOST_FILES} files`)
  }
  return found
}

type ReadText =
  | { readonly text: string; readonly why?: undefined }
  | { readonly text?: undefined; readonly why: string }

async function readText(file: string, entry: Dirent): Promise<ReadText> {
  if (entry.isSymbolicLink()) return { why: 'it is a link, and links are not followed' }
  if (!entry.isFile()) return { why: 'it is no regular file' }
  // It was no link a moment ago, and must not be one now. Where the system cannot say so, the look above has to do.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const { size } = await handle.stat()
    if (size > MOST_FILE_BYTES) return { why: `it has ${size} bytes, and at most ${MOST_FILE_BYTES} are read` }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
    return text.includes('\u0000') ? { why: 'it is no text' } : { text }
  } catch (error) {
    if (error instanceof TypeError) return { why: 'it is no UTF-8 text' }
    throw error
  } finally {
    await handle.close()
  }
}

function tooMuch(root: string, what: string): Error {
  return skillError('E_SKILL_LIMIT', `The skill in ${root} has ${what}.`)
}
