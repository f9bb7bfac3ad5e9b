import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory } from './make-directory.js'

test('a directory is made with those above it, and made again without a fault', () => {
  const root = mkdtempSync(join(tmpdir(), 'make-directory-'))
  try {
    const path = join(root, 'a', 'b', 'c')
    makeDirectory(path, 0o700)
    makeDirectory(path)

    expect(statSync(path).mode & 0o777).toBe(0o700)
  } finally {
    rmSync(root, { recursive: true })
  }
})

test.runIf(process.platform === 'linux')('where no directory can be made it fails at once', () => {
  expect(() => makeDirectory('/proc/harnesswright-was-here/home')).toThrow(/cannot be made/)
})
