import { HarnessError } from '../errors/error.js'
import type { ErrorCode } from '../errors/table.js'
import { isRecord } from './pointer.js'

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

type Part = Pick<Problem, 'found' | 'expected'> & Partial<Problem>

/** A problem, with message and fix made from what was found and expected where they are not given. */
export function makeProblem(code: ErrorCode, pointer: string, part: Part): Problem {
  const { found, expected, nearest = [] } = part
  const fix = nearest[0] === undefined ? `Give ${expected}.` : `Write "${nearest[0]}".`
  return { code, pointer, message: `Expected ${expected}; found ${found}.`, nearest, fix, ...part }
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

/** A value in a few words, short whatever its size. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60)) + (value.length > 60 ? ' …' : '')
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (!isRecord(value)) return value === undefined ? 'nothing' : String(value)
  return `an object with ${Object.keys(value).slice(0, 4).join(', ').slice(0, 60) || 'no fields'}`
}
