import { quote, workspaceError } from './errors.js'

/** What the tools of a workspace do at most. */
export interface WorkspaceLimits {
  /** Largest file that is read or written, in bytes. Default 8 MiB. */
  readonly fileBytes: number
  /** Longest text of one read, in characters. Default 30,000. */
  readonly readChars: number
  /** Most lines of one listing. Default 500. */
  readonly listEntries: number
  /** Most matching lines of one search. Default 100. */
  readonly searchMatches: number
  /** Longest result of one search, in characters. Default 20,000. */
  readonly searchChars: number
  /** Most bytes that one search reads. Default 32 MiB. */
  readonly searchBytes: number
  /** Time that the regular expression of one search may take, in ms. Default 500. */
  readonly patternTimeoutMs: number
  /** Most files and folders of a workspace. Default 20,000. */
  readonly totalEntries: number
  /** Most bytes of all files of a workspace. Default 256 MiB. */
  readonly totalBytes: number
}

const MIB = 1024 * 1024

const DEFAULTS: WorkspaceLimits = {
  fileBytes: 8 * MIB,
  readChars: 30_000,
  listEntries: 500,
  searchMatches: 100,
  searchChars: 20_000,
  searchBytes: 32 * MIB,
  patternTimeoutMs: 500,
  totalEntries: 20_000,
  totalBytes: 256 * MIB,
}

/** Fills in the defaults. Throws `E_WORKSPACE_OPTION` for an unknown name or a value that is no positive integer. */
export function parseLimits(limits: Partial<WorkspaceLimits> = {}): WorkspaceLimits {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      const known = Object.keys(DEFAULTS).join(', ')
      throw workspaceError('E_WORKSPACE_OPTION', `There is no limit ${quote(name)}; there are ${known}.`)
    }
    if (!Number.isSafeInteger(value) || value <= 0) {
      throw workspaceError('E_WORKSPACE_OPTION', `The limit ${name} is ${value}; a positive integer is expected.`)
    }
  }
  return Object.freeze({ ...DEFAULTS, ...limits })
}
