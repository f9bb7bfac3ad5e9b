import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cliError } from '../errors/cli-error.js'
import type { Io } from '../io.js'
import { makeDirectory } from '../make-directory.js'
import { cleanLine } from '../text/clean.js'

/** Code that asks to be run. */
export interface TrustRequest {
  readonly file: string
  /** SHA-256 of its text, in hex. */
  readonly hash: string
  /** Directory in which a yes is remembered. */
  readonly home: string
}

/**
 * Asks whether code may run, unless the answer to this very text is remembered.
 *
 * @throws HarnessError `E_CLI_UNTRUSTED` when the answer is not yes, or nobody can be asked.
 */
export async function confirmTrust({ file, hash, home }: TrustRequest, io: Io): Promise<void> {
  const store = join(home, 'trusted-configs.txt')
  const known = await readFile(store, 'utf8').catch(() => '')
  if (known.split('\n').some((line) => line === hash)) return
  const canAsk = io.isTTY.stdin && io.isTTY.stderr
  const answer = canAsk ? await io.ask(`Run ${cleanLine(file)}? It is code. [y/N] `) : ''
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw cliError('E_CLI_UNTRUSTED', {
      message: 'The configuration is code, and nobody said that it may run.',
      where: file,
      expected: '--trust-config, or a yes on a terminal',
      fix: 'Read the file; then run with --trust-config, or with --no-config.',
    })
  }
  makeDirectory(home)
  await writeFile(store, `${hash}\n`, { flag: 'a', mode: 0o600 })
}
