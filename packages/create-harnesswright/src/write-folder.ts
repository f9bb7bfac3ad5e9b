import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CreateError } from './create-error.js'

/**
 * Writes a folder with these files, all of it or nothing: they are written beside it, and the folder then gets its name.
 *
 * @param folder - Its path. The folder above it exists.
 * @param files - Texts by their paths in the folder.
 * @throws CreateError `E_CREATE_EXISTS` when there is something of that name, `E_CREATE_WRITE` when it cannot be written.
 */
export function writeFolder(folder: string, files: Readonly<Record<string, string>>): void {
  if (existsSync(folder)) throw exists(folder)
  let unfinished: string | undefined
  try {
    unfinished = mkdtempSync(join(dirname(folder), '.create-harnesswright-'))
    const made = join(unfinished, 'package') // made with the usual rights: those of a temporary folder are narrower
    mkdirSync(made)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(made, path)), { recursive: true })
      writeFileSync(join(made, path), text)
    }
    renameSync(made, folder)
  } catch (cause) {
    throw codeOf(cause) === 'ENOTEMPTY' || codeOf(cause) === 'EEXIST' ? exists(folder) : notWritten(folder, cause)
  } finally {
    if (unfinished !== undefined) rmSync(unfinished, { recursive: true, force: true })
  }
}

function codeOf(cause: unknown): string {
  return String((cause as { readonly code?: unknown }).code ?? cause)
}

function exists(folder: string): CreateError {
  return new CreateError('E_CREATE_EXISTS', {
    message: `There is something at ${folder} already.`,
    where: folder,
    expected: 'a name for which there is no file and no folder here',
    fix: 'Choose another name, or go to another folder.',
  })
}

function notWritten(folder: string, cause: unknown): CreateError {
  return new CreateError('E_CREATE_WRITE', {
    message: `The package cannot be written (${codeOf(cause)}); nothing of it is left.`,
    where: dirname(folder),
    expected: 'a folder in which files can be written',
    fix: 'Go to a folder of yours, and run the command there.',
    cause,
  })
}
