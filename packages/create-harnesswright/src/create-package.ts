import { join } from 'node:path'
import { packageFiles } from './package-files.js'
import { type CreateRequest, readRequest } from './read-request.js'
import { writeFolder } from './write-folder.js'

/** A package that was written. */
export interface CreatedPackage {
  /** Name under which it is published. */
  readonly name: string
  /** Path of its folder. */
  readonly directory: string
  /** Paths of its files, with `/` between folders. */
  readonly files: readonly string[]
}

/**
 * Writes a package that type-checks, keeps the rules of the conformance kit and can be published, in a new folder.
 *
 * @param request - What is asked for; it may come from a person as it is.
 * @param cwd - The folder in which its folder is made.
 * @throws CreateError `E_CREATE_USAGE`, `E_CREATE_NAME`, `E_CREATE_EXISTS`, `E_CREATE_WRITE`. Nothing is left half-written.
 */
export function createPackage(request: CreateRequest, cwd: string): CreatedPackage {
  const made = readRequest(request)
  const files = packageFiles(made)
  const directory = join(cwd, made.folder)
  writeFolder(directory, files)
  return { name: made.name, directory, files: Object.keys(files).sort() }
}

/** What to do next, in lines. */
export function nextSteps({ directory }: CreatedPackage): readonly string[] {
  return [`cd ${directory.split(/[\\/]/).at(-1)}`, 'npm install', 'npm test']
}
