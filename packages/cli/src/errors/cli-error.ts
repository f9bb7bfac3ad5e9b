import { HarnessError } from '@harnesswright/core'
import { EXIT, type ExitCode } from '../exit-codes.js'

/** Codes of the command line's own errors, with the exit code of each. */
export const CLI_CODES = {
  E_CLI_COMMAND: EXIT.usage,
  E_CLI_CONFIG: EXIT.invalid,
  E_CLI_FILE: EXIT.invalid,
  E_CLI_INTERNAL: EXIT.internal,
  E_CLI_LATER: EXIT.usage,
  E_CLI_LOCK: EXIT.invalid,
  E_CLI_MODEL: EXIT.invalid,
  E_CLI_OPTION: EXIT.usage,
  E_CLI_PACKAGE: EXIT.invalid,
  E_CLI_RESUME: EXIT.invalid,
  E_CLI_TASK: EXIT.invalid,
  E_CLI_UNTRUSTED: EXIT.invalid,
  E_CLI_USAGE: EXIT.usage,
  E_CLI_WORKSPACE: EXIT.invalid,
} as const satisfies Readonly<Record<string, ExitCode>>

/** Code of an error of the command line. */
export type CliCode = keyof typeof CLI_CODES

/** What a person needs to know to mend it. */
export interface CliErrorSpec {
  /** What happened, with what was found. */
  readonly message: string
  /** The option, file or place. */
  readonly where: string
  readonly expected: string
  readonly fix: string
  readonly cause?: unknown
}

/** An error of the command line, which is shown with all of its lines. */
export function cliError(code: CliCode, { message, where, expected, fix, cause }: CliErrorSpec): HarnessError {
  return new HarnessError(code, {
    message,
    hint: fix,
    details: { where, expected },
    ...(cause === undefined ? {} : { cause }),
  })
}
