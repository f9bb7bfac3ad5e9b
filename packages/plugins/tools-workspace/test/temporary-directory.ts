import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new directory that is deleted when the test has finished. */
export function makeTemporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'harnesswright-test-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
