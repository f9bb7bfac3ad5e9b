import { existsSync } from 'node:fs'
import type { Catalog } from '@harnesswright/core'
import { parseManifest } from '@harnesswright/plugin-manifest'
import { cliError } from '../errors/cli-error.js'
import { compareLock, type Difference, differenceText } from './compare-lock.js'
import { lockFileOf, readLock } from './lock-file.js'
import { lockedOf } from './lock-manifest.js'
import { isObject, listManifests } from './named-manifests.js'

/** A manifest that is about to be run. */
export interface LockedFile {
  /** Path of the manifest. */
  readonly path: string
  /** As it was named. */
  readonly file: string
  readonly text: string
}

/**
 * Checks a manifest against the lock file beside it, where there is one. What is wrong with the manifest itself is told when it
 * is assembled.
 *
 * @throws HarnessError `E_CLI_LOCK` when what is installed is not what was locked, or the lock file is none.
 */
export async function checkLocked({ path, file, text }: LockedFile, catalog: Catalog): Promise<void> {
  const lockFile = lockFileOf(path)
  if (!existsSync(lockFile)) return
  const locked = await readLock(lockFile)
  const { manifest } = parseManifest(text)
  if (!isObject(manifest)) return
  // What the manifest names no more has no part in the run.
  const differences = compareLock(locked, lockedOf(listManifests(manifest), catalog)).filter(
    ({ found }) => found !== null,
  )
  if (differences.length > 0) throw disagrees(differences, lockFile, file)
}

function disagrees(differences: readonly Difference[], lockFile: string, file: string): Error {
  const moved = differences.filter(({ found, expected }) => expected !== null && expected.version !== found?.version)
  const words = moved.map((one) => `${one.package}@${one.expected?.version}`)
  return cliError('E_CLI_LOCK', {
    message: `What is installed is not what the manifest was locked with:\n${differences.map(differenceText).join('\n')}`,
    where: lockFile,
    expected: 'the packages that are locked, to the byte',
    fix: `${words.length === 0 || words.some((word) => word.endsWith('-linked')) ? 'Bring back' : `npm install ${words.join(' ')} brings back`} what was locked; "harnesswright lock ${file}" locks what is installed.`,
  })
}
