import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryDirectory } from '../../test/temporary-directory.js'
import { catchCode, catchError } from '../../test/thrown.js'
import { callTool } from '../../test/tool-context.js'
import { workspaceTools } from '../tools/workspace-tools.js'
import { createWorkspaces, type DirectoryWorkspaces, type WorkspacesOptions } from './create-workspaces.js'

async function makeWorkspaces(files: Readonly<Record<string, string>> = {}, options: Partial<WorkspacesOptions> = {}) {
  const root = makeTemporaryDirectory()
  const workspaces = createWorkspaces({ root, ...options })
  const jail = await workspaces.create('main')
  for (const [path, text] of Object.entries(files)) jail.write(path, text)
  return { root, workspaces, jail }
}

function readAll(workspaces: DirectoryWorkspaces, id: string): Readonly<Record<string, string>> {
  const jail = workspaces.jail(id)
  return Object.fromEntries(jail.list().map(({ path }) => [path, jail.readText(path)]))
}

test('tools work in the workspace of the run that calls them', async () => {
  const { workspaces } = await makeWorkspaces({ 'a.txt': 'main' })
  await workspaces.fork('main', '3.a/1.b')
  const tools = workspaceTools(workspaces)

  await callTool(tools, 'write_file', { path: 'a.txt', content: 'fork' }, { workspace: '3.a/1.b' })

  expect(await callTool(tools, 'read_file', { path: 'a.txt' }, { workspace: '3.a/1.b' })).toBe('fork')
  expect(await callTool(tools, 'read_file', { path: 'a.txt' }, { workspace: 'main' })).toBe('main')
})

test('a run without a workspace has no files, unless its tools were bound to one', async () => {
  const { workspaces } = await makeWorkspaces({ 'a.txt': 'main' })
  const read = (id?: string) => callTool(workspaces.tools(id), 'read_file', { path: 'a.txt' }, { workspace: undefined })

  expect(await catchCode(() => read())).toBe('E_WORKSPACE_UNKNOWN')
  expect(await read('main')).toBe('main')
  await workspaces.create('other')
  const bound = workspaces.tools('main')
  expect(await callTool(bound, 'read_file', { path: 'a.txt' }, { workspace: 'other' })).toBe('main')
})

test('ids are told apart whatever text they are, and escape nowhere', async () => {
  const { root, workspaces } = await makeWorkspaces()
  const ids = ['../x', '/etc', 'a/b', 'a-b', '..', '.', '', 'A/B', 'x\0', '3.a/1.b']

  for (const id of ids) (await workspaces.create(id)).write('id.txt', id)

  for (const id of ids) expect(workspaces.jail(id).readText('id.txt')).toBe(id)
  for (const id of ids) expect(workspaces.directory(id).startsWith(`${root}/`)).toBe(true)
  expect(readdirSync(root)).toHaveLength(ids.length + 1)
})

test('an unknown id and one that is taken are refused', async () => {
  const { workspaces } = await makeWorkspaces()

  expect(await catchCode(() => workspaces.create('main'))).toBe('E_WORKSPACE_EXISTS')
  expect(await catchCode(() => workspaces.fork('main', 'main'))).toBe('E_WORKSPACE_EXISTS')
  expect(await catchCode(() => workspaces.fork('none', 'new'))).toBe('E_WORKSPACE_UNKNOWN')
  expect(await catchCode(() => workspaces.merge('none', 'main'))).toBe('E_WORKSPACE_UNKNOWN')
  expect(await catchCode(() => workspaces.commit('main', 'none'))).toBe('E_WORKSPACE_UNKNOWN')
  expect(await catchCode(() => workspaces.jail('none'))).toBe('E_WORKSPACE_UNKNOWN')
  expect(await catchCode(() => workspaces.directory('none'))).toBe('E_WORKSPACE_UNKNOWN')
})

test('a fork of a workspace with a link is refused and leaves nothing behind', async () => {
  const { root, workspaces } = await makeWorkspaces({ 'a.txt': 'x' })
  symlinkSync('/etc', join(workspaces.directory('main'), 'link'))

  const error = await catchError(() => workspaces.fork('main', 'fork'))

  expect(error.code).toBe('E_WORKSPACE_LINK')
  expect(error.message).toContain('"link" is a link')
  expect(readdirSync(root)).toHaveLength(1)
})

test('a fork keeps permission bits and has hard-linked files as files of its own', async () => {
  const { workspaces } = await makeWorkspaces({ 'run.sh': 'x' })
  const directory = workspaces.directory('main')
  chmodSync(join(directory, 'run.sh'), 0o755)
  linkSync(join(directory, 'run.sh'), join(directory, 'second.sh'))

  await workspaces.fork('main', 'fork')

  const copy = statSync(join(workspaces.directory('fork'), 'second.sh'))
  expect([copy.mode & 0o777, copy.nlink]).toEqual([0o755, 1])
})

test('a fork of more than a workspace may hold is refused', async () => {
  const { workspaces } = await makeWorkspaces({ 'a.txt': '1234567890' }, { limits: { totalBytes: 20 } })
  writeFileSync(join(workspaces.directory('main'), 'b.txt'), '12345678901')

  expect(await catchCode(() => workspaces.fork('main', 'fork'))).toBe('E_WORKSPACE_LIMIT')
})

test('a merge brings additions, changes and deletions, and tells conflicts', async () => {
  const { workspaces, jail } = await makeWorkspaces({ 'a.txt': '1', 'b.txt': '1', 'c.txt': '1', 'd/e.txt': '1' })
  await workspaces.fork('main', 'fork')
  const fork = workspaces.jail('fork')
  fork.write('a.txt', '2')
  fork.write('b.txt', '2')
  fork.write('new/x.txt', '2')
  fork.remove('c.txt')
  fork.remove('d/e.txt')
  jail.write('b.txt', '3')
  jail.write('c.txt', '3')
  jail.write('mine.txt', '3')

  const conflicts = await workspaces.merge('fork', 'main')

  expect(conflicts).toEqual([
    { path: 'b.txt', reason: 'both changed this file' },
    { path: 'c.txt', reason: 'the fork deleted this file, which changed here' },
  ])
  expect(readAll(workspaces, 'main')).toEqual({
    'a.txt': '2',
    'b.txt': '3',
    'c.txt': '3',
    'mine.txt': '3',
    'new/x.txt': '2',
  })
})

test('a file in the way of a folder, and names that differ in case, are conflicts', async () => {
  const { workspaces, jail } = await makeWorkspaces()
  await workspaces.fork('main', 'fork')
  const fork = workspaces.jail('fork')
  fork.write('thing/a.txt', 'fork')
  fork.write('Readme.md', 'fork')
  fork.write('fine.txt', 'fork')
  jail.write('thing', 'main')
  jail.write('README.md', 'main')

  const conflicts = await workspaces.merge('fork', 'main')

  expect(conflicts.map(({ path }) => path)).toEqual(['Readme.md', 'thing/a.txt'])
  expect(readAll(workspaces, 'main')).toEqual({ thing: 'main', 'README.md': 'main', 'fine.txt': 'fork' })
})

test('a file that became a folder in the fork becomes one by merge and by commit', async () => {
  for (const way of ['merge', 'commit'] as const) {
    const { workspaces } = await makeWorkspaces({ thing: 'file', 'case.txt': 'x' })
    await workspaces.fork('main', 'fork')
    const fork = workspaces.jail('fork')
    fork.remove('thing')
    fork.write('thing/a.txt', 'folder')
    fork.remove('case.txt')
    fork.write('CASE.txt', 'x')

    await workspaces[way]('fork', 'main')

    expect(readAll(workspaces, 'main')).toEqual({ 'thing/a.txt': 'folder', 'CASE.txt': 'x' })
  }
})

test('a link made in a fork is a conflict of a merge and ends a commit before it begins', async () => {
  const { workspaces } = await makeWorkspaces({ 'a.txt': '1' })
  await workspaces.fork('main', 'fork')
  workspaces.jail('fork').write('a.txt', '2')
  symlinkSync('/etc/passwd', join(workspaces.directory('fork'), 'link'))

  expect(await catchCode(() => workspaces.commit('fork', 'main'))).toBe('E_WORKSPACE_LINK')
  expect(readAll(workspaces, 'main')).toEqual({ 'a.txt': '1' })
  expect(await workspaces.merge('fork', 'main')).toEqual([{ path: 'link', reason: 'is a link, which is not copied' }])
  expect(readAll(workspaces, 'main')).toEqual({ 'a.txt': '2' })
})

test('a discarded workspace is gone, and what its links point to is not', async () => {
  const { root, workspaces } = await makeWorkspaces({ 'a.txt': '1' })
  const outside = makeTemporaryDirectory()
  writeFileSync(join(outside, 'kept.txt'), 'kept')
  await workspaces.fork('main', 'fork')
  const directory = workspaces.directory('fork')
  workspaces.jail('fork').write('deep/er/b.txt', 'x')
  symlinkSync(outside, join(directory, 'deep', 'link'))
  writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.of(0xff, 0xfe)]), 'no UTF-8')

  await workspaces.discard('fork')
  await workspaces.discard('fork')

  expect(existsSync(directory)).toBe(false)
  expect(readdirSync(root)).toHaveLength(1)
  expect(readFileSync(join(outside, 'kept.txt'), 'utf8')).toBe('kept')
  await workspaces.fork('main', 'fork')
  expect(readAll(workspaces, 'fork')).toEqual({ 'a.txt': '1' })
})

test('forks outlive the object that made them, with what they were forked from', async () => {
  const { root, workspaces } = await makeWorkspaces({ 'a.txt': '1' })
  await workspaces.fork('main', 'fork')
  workspaces.jail('fork').write('a.txt', '2')

  const later = createWorkspaces({ root })
  await later.merge('fork', 'main')

  expect(readAll(later, 'main')).toEqual({ 'a.txt': '2' })
})

test('merges that are started at once are made one after another', async () => {
  const { workspaces } = await makeWorkspaces({ 'a.txt': '0' })
  const ids = ['f1', 'f2', 'f3']
  for (const id of ids) await workspaces.fork('main', id)
  for (const id of ids) workspaces.jail(id).write('a.txt', id)
  for (const id of ids) workspaces.jail(id).write(`${id}.txt`, id)

  const conflicts = await Promise.all(ids.map((id) => workspaces.merge(id, 'main')))

  expect(conflicts.map((list) => list.map(({ path }) => path))).toEqual([[], ['a.txt'], ['a.txt']])
  expect(readAll(workspaces, 'main')).toEqual({ 'a.txt': 'f1', 'f1.txt': 'f1', 'f2.txt': 'f2', 'f3.txt': 'f3' })
})
