import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '@harnesswright/core/manifest'
import { cliError } from './errors/cli-error.js'

/**
 * Makes a directory and those above it that are missing, one by one: the recursive call of Node.js never returns where a
 * file system takes no directories at all, such as `/proc`.
 *
 * @throws HarnessError `E_CLI_FILE` when it cannot be made.
 */
export function makeDirectory(path: string, mode = 0o777): void {
  const missing: string[] = []
  for (let at = path; !existsSync(at); at = dirname(at)) missing.push(at)
  for (const directory of missing.reverse()) {
    try {
      mkdirSync(directory, { mode })
    } catch (error) {
      // Another process made it in between.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notMade(directory, error)
    }
  }
}

function notMade(directory: string, cause: unknown): Error {
  return cliError('E_CLI_FILE', {
    message: `The directory ${directory} cannot be made: ${messageOf(cause)}`,
    where: directory,
    expected: 'a place that can be written',
    fix: 'Name another: HARNESSWRIGHT_HOME for runs, --workspace for the files of tools, --out for results.',
    cause,
  })
}
