import { quote, workspaceError } from '../errors.js'

const NAME_BYTES = 255
const PATH_BYTES = 1024
const DEPTH = 32

// Control characters, halves of surrogate pairs, what stands for undecodable bytes, line separators, direction marks,
// and what some system gives a meaning (streams, drives, wildcards, separators).
const UNUSABLE = /[\p{Cc}\p{Cs}\ufffd\u2028\u2029\u202a-\u202e\u2066-\u2069<>:"|?*\\]/u
const DEVICE = /^ *(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d) *(\.|$)/
const ASCII = /^[ -~]*$/
const TEMPORARY = /^\.harnesswright-.*\.tmp$/

/** A path as the jail takes it: the names from the root down. */
export type Names = readonly string[]

/**
 * What two names have in common when some file system takes them for one: case, Unicode form and invisible characters
 * fall away.
 */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase()
  const visible = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return visible.toUpperCase().toLowerCase().normalize('NFKC')
}

/** Says why a name cannot be used, or undefined when it can. The rule is the same on every system. */
export function faultOfName(name: string): string | undefined {
  if (name === '..') return 'has ".." in it, which could leave the workspace'
  if (UNUSABLE.test(name)) return 'has a character that file names cannot have here: control characters or <>:"|?*\\'
  if (Buffer.byteLength(name) > NAME_BYTES) return `has a name of more than ${NAME_BYTES} bytes`
  if (/[. ]$/.test(name)) return 'has a name that ends with a dot or a space'
  const folded = foldName(name)
  if (/^\.{0,2}$/.test(folded) || /[/\\]/.test(folded)) return 'has a name that could be taken for a separator or ".."'
  if (DEVICE.test(folded)) return 'has the name of a device'
  if (TEMPORARY.test(folded)) return 'has a name that is kept for files being written'
  return undefined
}

/** True for the name of a file that is being written. */
export function isTemporaryName(name: string): boolean {
  return TEMPORARY.test(name)
}

/**
 * Takes a path apart. `.` and doubled slashes fall away; an empty path is the root.
 *
 * Throws `E_WORKSPACE_PATH`.
 */
export function parsePath(path: string): Names {
  const refuse = (why: string): never => {
    throw workspaceError('E_WORKSPACE_PATH', `The path ${quote(path)} ${why}.`)
  }
  if (path.startsWith('/')) {
    const relative = path.replace(/^\/+/, '')
    refuse(`is absolute. Paths are relative to the workspace${relative === '' ? '' : `, as in ${quote(relative)}`}`)
  }
  if (Buffer.byteLength(path) > PATH_BYTES) refuse(`is longer than ${PATH_BYTES} bytes`)
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  for (const name of names) {
    const fault = faultOfName(name)
    if (fault !== undefined) refuse(fault)
  }
  if (names.length > DEPTH) refuse(`has more than ${DEPTH} levels`)
  return names
}

/** A path that names a file: its folder and its own name. Throws `E_WORKSPACE_PATH`. */
export function parseFilePath(path: string): { readonly folder: Names; readonly name: string } {
  const names = parsePath(path)
  const name = names.at(-1)
  if (name === undefined || /\/\.?$/.test(path)) {
    throw workspaceError('E_WORKSPACE_PATH', `The path ${quote(path)} names a folder; a file is expected.`)
  }
  return { folder: names.slice(0, -1), name }
}

/** True where the path has as many levels as there may be, so that nothing below it can be named. */
export function isDeepest(path: string): boolean {
  return path.split('/').length >= DEPTH
}

/** Order of paths everywhere: by code unit, the same on every system. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
