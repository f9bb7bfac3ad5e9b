import { HarnessError, isHarnessError } from '@harnesswright/core'

/** The codes of this package, with what a person can do about each. What a model can do stands in the message. */
const HINTS = {
  E_WORKSPACE_PATH: 'Give a path relative to the workspace, with / between folders and names that every system takes.',
  E_WORKSPACE_MISSING: 'Use a path that list_files shows.',
  E_WORKSPACE_KIND: 'Name a regular file where a file is wanted, and a folder where a folder is wanted.',
  E_WORKSPACE_LINK: 'Replace the link by a copy of what it points to: links are never followed.',
  E_WORKSPACE_PROTECTED: 'Use another path, or open the workspace without protectProjectFiles.',
  E_WORKSPACE_COLLISION: 'Use the name that is there already.',
  E_WORKSPACE_READ_ONLY: 'Write to another path, or give the file the right to be written.',
  E_WORKSPACE_LIMIT: 'Work with less at once, or raise the limit when opening the workspace.',
  E_WORKSPACE_TEXT: 'Only UTF-8 text can be read or written as text.',
  E_WORKSPACE_CHANGED: 'Do it again; if it happens often, another program is changing the workspace.',
  E_WORKSPACE_SYSTEM: 'See the code of the system in details.errno.',
  E_WORKSPACE_UNKNOWN: 'Create the workspace first, or use the id of one that is there.',
  E_WORKSPACE_EXISTS: 'Use another id, or discard the workspace of that id first.',
  E_WORKSPACE_OPTION: 'Correct the option.',
  E_WORKSPACE_PATTERN: 'Correct or simplify the regular expression, or search for plain text.',
  E_WORKSPACE_EXPRESSION: 'Correct the expression at the position named.',
} as const

/** A code of this package. */
export type WorkspaceErrorCode = keyof typeof HINTS

type Details = Readonly<Record<string, unknown>>

/** Makes a coded error whose message alone tells a model what was found and what to do. */
export function workspaceError(code: WorkspaceErrorCode, message: string, details: Details = {}): HarnessError {
  return new HarnessError(code, { message, hint: HINTS[code], details })
}

/** True for an error of this package with one of the codes. */
export function hasCode(error: unknown, ...codes: readonly WorkspaceErrorCode[]): error is HarnessError {
  return isHarnessError(error) && codes.some((code) => code === error.code)
}

/** The text as a message may show it: quoted, control characters escaped, cut when long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
}

const MOVED = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ESTALE', 'EEXIST', 'EISDIR', 'ENOTEMPTY'])

/**
 * Runs file system calls and turns what they throw into coded errors.
 *
 * The system's own error is not kept as the cause: its message holds absolute paths of the host.
 */
export function withCodedErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === undefined) throw error
    const shown = path === '' ? 'the workspace' : quote(path)
    if (MOVED.has(errno)) {
      throw workspaceError('E_WORKSPACE_CHANGED', `${shown} changed while it was used. Try again.`, { path, errno })
    }
    throw workspaceError('E_WORKSPACE_SYSTEM', `The system refused to work on ${shown}: ${errno}.`, { path, errno })
  }
}

/** True for what a call of the file system throws. */
export function isSystemError(error: unknown): boolean {
  return errnoOf(error) !== undefined
}

function errnoOf(error: unknown): string | undefined {
  if (isHarnessError(error) || !(error instanceof Error) || !('syscall' in error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
