import { quote, workspaceError } from '../errors.js'
import { foldName } from './names.js'

const LOCK_FILE = /(\.lock(b|file)?|[-.]lock\.(json|ya?ml)|^npm-shrinkwrap\.json|^go\.sum)$/
// NTFS gives long names a second, short one: GIT~1 is .git, PACKAG~1.JSO is package-lock.json.
const SHORT_ALIAS = /^[^.]{1,6}~\d{1,6}(\.[^.]{0,3})?$/

/** True for what a project keeps for itself: dot-files, node_modules, lock files and harnesswright.config.*. */
export function isProtectedName(name: string): boolean {
  const folded = foldName(name)
  return (
    folded.startsWith('.') ||
    folded === 'node_modules' ||
    folded.startsWith('harnesswright.config.') ||
    LOCK_FILE.test(folded) ||
    SHORT_ALIAS.test(folded)
  )
}

/** Throws `E_WORKSPACE_PROTECTED` when one of the names is protected. */
export function assertNotProtected(names: readonly string[]): void {
  const found = names.find(isProtectedName)
  if (found === undefined) return
  throw workspaceError(
    'E_WORKSPACE_PROTECTED',
    `${quote(found)} is protected: dot-files, node_modules, lock files and harnesswright.config.* cannot be used here. Use another name.`,
  )
}
