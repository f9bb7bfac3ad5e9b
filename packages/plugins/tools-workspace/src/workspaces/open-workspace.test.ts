import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporaryDirectory } from '../../test/temporary-directory.js'
import { catchCode } from '../../test/thrown.js'
import { callTool } from '../../test/tool-context.js'
import { type OpenWorkspaceOptions, openWorkspace } from './open-workspace.js'

function openTemporary(options: OpenWorkspaceOptions = {}) {
  const directory = makeTemporaryDirectory()
  const opened = openWorkspace(directory, options)
  onTestFinished(() => opened.close())
  return { directory, ...opened }
}

test('the directory is the workspace where it stands', async () => {
  const { directory, tools, id } = openTemporary()

  await callTool(tools, 'write_file', { path: 'a.txt', content: 'x' }, { workspace: id })

  expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('x')
})

test('forks live elsewhere and are deleted with the temporary folder', async () => {
  const { directory, workspaces, id, close } = openTemporary()
  workspaces.jail(id).write('a.txt', '1')
  await workspaces.fork(id, '1.a')
  workspaces.jail('1.a').write('b.txt', '2')
  const forked = workspaces.directory('1.a')

  expect(readdirSync(directory)).toEqual(['a.txt'])
  await workspaces.merge('1.a', id)
  expect(readdirSync(directory).sort()).toEqual(['a.txt', 'b.txt'])
  close()
  expect(existsSync(forked)).toBe(false)
})

test('project files that are protected are neither forked nor deleted by a commit', async () => {
  const { directory, workspaces, id } = openTemporary({ protectProjectFiles: true })
  mkdirSync(join(directory, 'node_modules', 'x'), { recursive: true })
  writeFileSync(join(directory, '.env'), 'KEY=1')
  writeFileSync(join(directory, 'a.txt'), '1')
  symlinkSync('/etc', join(directory, 'node_modules', 'link'))

  await workspaces.fork(id, 'fork')
  workspaces.jail('fork').remove('a.txt')
  await workspaces.commit('fork', id)

  expect(workspaces.jail('fork').list()).toEqual([])
  expect(readdirSync(directory).sort()).toEqual(['.env', 'node_modules'])
})

test("the host's own directory is never discarded", async () => {
  const { directory, workspaces, id } = openTemporary()

  expect(await catchCode(() => workspaces.discard(id))).toBe('E_WORKSPACE_PROTECTED')
  expect(await catchCode(() => workspaces.create(id))).toBe('E_WORKSPACE_EXISTS')
  expect(existsSync(directory)).toBe(true)
})

test('a folder for forks can be given, but not one inside the directory', async () => {
  const directory = makeTemporaryDirectory()
  const elsewhere = makeTemporaryDirectory()
  symlinkSync(directory, join(elsewhere, 'back'))

  for (const forks of [directory, join(directory, 'forks'), join(elsewhere, 'back', 'forks')]) {
    expect(await catchCode(() => openWorkspace(directory, { forks }))).toBe('E_WORKSPACE_OPTION')
  }
  expect(readdirSync(directory)).toEqual([])
  const { workspaces, id } = openWorkspace(directory, { forks: join(elsewhere, 'forks') })
  await workspaces.fork(id, 'f')
  expect(workspaces.directory('f').startsWith(join(elsewhere, 'forks'))).toBe(true)
})

test('a directory that is not there is refused', async () => {
  expect(await catchCode(() => openWorkspace(join(makeTemporaryDirectory(), 'none')))).toBe('E_WORKSPACE_MISSING')
})
