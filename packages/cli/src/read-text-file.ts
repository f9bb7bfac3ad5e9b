import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { type CliCode, cliError } from './errors/cli-error.js'

/** How to speak of a file that cannot be read. */
export interface TextFileOptions {
  /** The option or place that names the file. */
  readonly where: string
  /** Default 16 MiB. */
  readonly maxBytes?: number
  /** Default `E_CLI_FILE`. */
  readonly code?: CliCode
}

/**
 * The text of a file that a person named. Its size is looked at before it is read.
 *
 * @throws HarnessError of the code when there is no such file, it is no regular file, too large, or no UTF-8.
 */
export async function readTextFile(path: string, options: TextFileOptions): Promise<string> {
  const { where, maxBytes = 16 * 1024 * 1024, code = 'E_CLI_FILE' } = options
  const refuse = (message: string, cause?: unknown): Error =>
    cliError(code, {
      message: `${path} ${message}.`,
      where,
      expected: `a text file of at most ${maxBytes} bytes`,
      fix: 'Name a file that exists and can be read.',
      cause,
    })
  // Non-blocking, so that opening a pipe that nobody writes to does not wait for ever.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  const file = await open(path, O_RDONLY | O_NONBLOCK).catch((cause: unknown) => {
    throw refuse(`cannot be read (${codeOf(cause)})`, cause)
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw refuse('is not a file')
    if (stats.size > maxBytes) throw refuse(`has ${stats.size} bytes`)
    return decode(await file.readFile(), refuse)
  } finally {
    await file.close()
  }
}

function decode(bytes: Uint8Array, refuse: (message: string, cause?: unknown) => Error): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw refuse('is not UTF-8 text', cause)
  }
}

/** `ENOENT` and the like. */
function codeOf(cause: unknown): string {
  return String((cause as { readonly code?: unknown }).code ?? cause)
}
