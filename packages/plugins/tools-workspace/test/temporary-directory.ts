import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const MEMORY = '/dev/shm'

/** A new directory that is deleted when the test has finished; in memory, where there is such a place, for many files. */
export function makeTemporaryDirectory({ isBusy = false } = {}): string {
  const parent = isBusy && existsSync(MEMORY) ? MEMORY : tmpdir()
  const directory = realpathSync(mkdtempSync(join(parent, 'harnesswright-test-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
