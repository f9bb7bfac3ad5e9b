import type { Arguments } from '../args/parse-arguments.js'
import { cliError } from '../errors/cli-error.js'
import type { Io } from '../io.js'
import { cleanJson, cleanText } from '../text/clean.js'

/** What a command that lists something has found. */
export interface Listing {
  /** The object of `--json`. */
  readonly json: object
  /** The lines for people. */
  readonly lines: readonly string[]
}

/** Prints a listing on standard output: it is the answer of its command. What a line begins to hide ends with it. */
export function printListing({ json, lines }: Listing, { switches }: Arguments, io: Io): void {
  io.stdout.write(switches.has('json') ? `${cleanJson(json)}\n` : `${lines.map(cleanText).join('\n')}\n`)
}

/**
 * For commands that take nothing after their name.
 *
 * @throws HarnessError `E_CLI_USAGE` when there is something.
 */
export function refuseWords({ command, positionals }: Arguments): void {
  if (positionals.length === 0) return
  throw cliError('E_CLI_USAGE', {
    message: `"${command}" takes nothing after its name.`,
    where: positionals.join(' '),
    expected: 'options alone',
    fix: `Write "harnesswright ${command}".`,
  })
}
