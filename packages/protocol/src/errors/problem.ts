import { HarnessError } from './error.js'
import type { ErrorCode } from './table.js'

/** One mistake in a manifest: where it is, what is there, what could be, and how to mend it. */
export interface Problem {
  readonly code: ErrorCode
  /** RFC 6901 pointer to the place; '' is the manifest itself. What is missing is told at the object that lacks it. */
  readonly pointer: string
  readonly message: string
  /** What stands there, cut to a line. */
  readonly found: string
  readonly expected: string
  /** Valid names most like the one found, the most alike first; empty where no name is wrong. */
  readonly nearest: readonly string[]
  readonly fix: string
}

/**
 * The error for a manifest with problems: that of the problem when there is one, else `E_MANIFEST_INVALID`.
 * `details.problems` holds them all.
 */
export function problemsError(problems: readonly Problem[]): HarnessError {
  const lines = problems.map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`))
  const list = problems.map(({ code }, index) => `\n- ${code}: ${lines[index]}`).join('')
  const [one, ...others] = problems
  return one !== undefined && others.length === 0
    ? new HarnessError(one.code, { message: lines.join(''), hint: one.fix, details: { problems } })
    : new HarnessError('E_MANIFEST_INVALID', {
        message: `There are ${lines.length} problems:${list}`,
        details: { problems },
      })
}
