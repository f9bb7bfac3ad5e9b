import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPackage } from 'create-harnesswright'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')

test('the sources of a seed and of a plugin type-check with isolatedDeclarations', { timeout: 120_000 }, () => {
  const cwd = mkdtempSync(join(tmpdir(), 'create-harnesswright-test-'))
  try {
    const made = ['seed', 'plugin'].map((kind) => createPackage({ kind, name: `a-${kind}` }, cwd).directory)
    mkdirSync(join(cwd, 'node_modules/@harnesswright'), { recursive: true })
    symlinkSync(join(root, 'packages/core'), join(cwd, 'node_modules/@harnesswright/core'))
    symlinkSync(join(root, 'node_modules/zod'), join(cwd, 'node_modules/zod'))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    for (const directory of made) {
      const words = ['-p', 'tsconfig.build.json', '--noEmit', '--isolatedDeclarations']
      const source = [
        '--customConditions',
        '@harnesswright/source',
        '--types',
        'node',
        '--typeRoots',
        join(root, 'node_modules/@types'),
      ]
      const { stdout } = spawnSync(process.execPath, [tsc, ...words, ...source], { cwd: directory, encoding: 'utf8' })
      expect(stdout).toBe('')
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
})
