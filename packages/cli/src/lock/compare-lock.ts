import type { Locked, LockedPackage } from './lock-file.js'

/** One package of which a lock says something else than what is installed. */
export interface Difference {
  readonly package: string
  /** What is installed; null where the manifest names it no more. */
  readonly found: LockedPackage | null
  /** What is locked; null where nothing is. */
  readonly expected: LockedPackage | null
}

/** Where a lock does not agree with what is installed of the packages that a manifest names, in the order of their names. */
export function compareLock(locked: Locked, installed: Locked): readonly Difference[] {
  const names = [...new Set([...Object.keys(locked), ...Object.keys(installed)])].sort()
  return names.flatMap((name) => {
    const [found, expected] = [own(installed, name), own(locked, name)]
    const isSame = found?.version === expected?.version && found?.integrity === expected?.integrity
    return isSame ? [] : [{ package: name, found, expected }]
  })
}

/** A difference as a line. */
export function differenceText({ package: name, found, expected }: Difference): string {
  if (found === null) return `${name}: locked, and the manifest does not name it`
  if (expected === null) return `${name}: not locked; found ${packageText(found)}`
  return `${name}: expected ${packageText(expected)}; found ${packageText(found)}`
}

function own(packages: Locked, name: string): LockedPackage | null {
  return Object.hasOwn(packages, name) ? (packages[name] as LockedPackage) : null
}

/** A version, and as much of the hash as people compare. */
function packageText({ version, integrity }: LockedPackage): string {
  return `${version} (${integrity.slice(0, 'sha256:'.length + 12)})`
}
