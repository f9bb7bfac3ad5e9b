import { cliError } from '../errors/cli-error.js'
import { readTextFile } from '../read-text-file.js'
import { isObject } from './named-manifests.js'

/** What exactly runs of a package. */
export interface LockedPackage {
  /** `0.0.0-linked` of a package of a workspace. */
  readonly version: string
  /** `sha256:` and the hash of its files. */
  readonly integrity: string
}

/** Packages by name, in the order of code units. */
export type Locked = Readonly<Record<string, LockedPackage>>

/** The lock file of a manifest: beside it, `m.lock.json` of `m.json`. */
export function lockFileOf(manifestFile: string): string {
  return `${manifestFile.replace(/\.json$/, '')}.lock.json`
}

/** The text of a lock file. */
export function writeLock(packages: Locked): string {
  return `${JSON.stringify({ lockVersion: 1, packages }, null, 2)}\n`
}

/**
 * What a lock file says.
 *
 * @throws HarnessError `E_CLI_LOCK` when it cannot be read, or is none of this version.
 */
export async function readLock(file: string): Promise<Locked> {
  const text = await readTextFile(file, { where: file, maxBytes: 1024 * 1024, code: 'E_CLI_LOCK' })
  const value = parse(text)
  if (isLock(value)) return value.packages
  throw cliError('E_CLI_LOCK', {
    message: `${file} is no lock file of this version.`,
    where: file,
    expected: 'the lock file of a manifest, as "harnesswright lock" writes it',
    fix: 'Remove it, and run "harnesswright lock" for the manifest.',
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isLock(value: unknown): value is { readonly packages: Locked } {
  if (!isObject(value) || value['lockVersion'] !== 1 || !isObject(value['packages'])) return false
  return Object.values(value['packages']).every(
    (one) => isObject(one) && typeof one['version'] === 'string' && typeof one['integrity'] === 'string',
  )
}
