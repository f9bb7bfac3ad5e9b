import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryDirectory } from '../../test/temporary-directory.js'
import { catchCode } from '../../test/thrown.js'
import { openJail } from './jail.js'
import { isProtectedName } from './protected-names.js'

const PROTECTED = [
  '.env',
  '.git',
  '.GIT',
  '.g\u200cit',
  '\uff0egit',
  'node_modules',
  'Node_Modules',
  'NODE_MODULES',
  'node_module\u017f',
  'package-lock.json',
  'Package-Lock.JSON',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'packages.lock.json',
  'go.sum',
  'harnesswright.config.json',
  'harnesswright.config.mjs',
  'HarnessWright.Config.mjs',
  'GIT~1',
  'PACKAG~1.JSO',
]

test.each(PROTECTED)('%s is protected', (name) => {
  expect(isProtectedName(name)).toBe(true)
})

test.each([
  'package.json',
  'clock.txt',
  'locksmith.md',
  'modules',
  'harnesswright.md',
  'blocks.json',
  'v1~2 notes.txt',
])('%s is not protected', (name) => {
  expect(isProtectedName(name)).toBe(false)
})

test.each(PROTECTED)('a jail that protects project files neither shows nor opens %s', async (name) => {
  const root = makeTemporaryDirectory()
  mkdirSync(join(root, 'sub'))
  for (const folder of ['', 'sub']) writeFileSync(join(root, folder, name), 'kept')
  writeFileSync(join(root, 'open.txt'), 'open')
  const jail = openJail(root, { protectProjectFiles: true })

  for (const path of [name, `sub/${name}`, `${name}/config`, `./${name}`]) {
    expect(await catchCode(() => jail.read(path))).toBe('E_WORKSPACE_PROTECTED')
    expect(await catchCode(() => jail.write(path, 'x'))).toBe('E_WORKSPACE_PROTECTED')
    expect(await catchCode(() => jail.remove(path))).toBe('E_WORKSPACE_PROTECTED')
    expect(await catchCode(() => jail.list(path))).toBe('E_WORKSPACE_PROTECTED')
  }
  expect(jail.list().map(({ path }) => path)).toEqual(['open.txt'])
  expect(readFileSync(join(root, name), 'utf8')).toBe('kept')
})

test('without the option dot-files are files like others', () => {
  const jail = openJail(makeTemporaryDirectory())

  jail.write('.env', 'A=1')

  expect(jail.list()).toEqual([{ path: '.env', sizeBytes: 3 }])
  expect(jail.readText('.env')).toBe('A=1')
})
