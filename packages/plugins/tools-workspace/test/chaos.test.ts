import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isHarnessError } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { createWorkspaces } from '../src/workspaces/create-workspaces.js'
import { makeTemporaryDirectory } from './temporary-directory.js'
import { callTool } from './tool-context.js'

const SECRET = 'the secret outside'
const ROUNDS = 3000

// Makes links, folders, files and moves at random in the directories of all workspaces.
const CHAOS_SOURCE = `
const fs = require('node:fs')
const { workerData: { directories, outside, rounds, done } } = require('node:worker_threads')
let state = 1
const pick = (list) => list[(state = (state * 48271) % 2147483647) % list.length]
const names = ['a', 'b', 'a/a', 'a/b', 'b/a', 'a/a/a', 'file.txt', 'a/file.txt', 'a/a/file.txt']
// never through a link: the chaos itself must not reach outside
const safe = (path) => {
  if (fs.realpathSync(path.slice(0, path.lastIndexOf('/'))).startsWith(outside)) throw new Error('leads outside')
  return path
}
const entry = () => safe(pick(directories) + '/' + pick(names))
const remove = (path) => (fs.lstatSync(path).isDirectory() ? fs.rmdirSync(path) : fs.unlinkSync(path))
const acts = [
  () => fs.symlinkSync(outside, entry()),
  () => fs.symlinkSync(outside + '/file.txt', entry()),
  () => fs.symlinkSync('../../../../outside', entry()),
  () => fs.mkdirSync(entry()),
  () => fs.writeFileSync(safe(entry() + '/file.txt'), 'inside', { flag: 'wx' }),
  () => fs.renameSync(entry(), entry()),
  () => fs.renameSync(entry(), entry()),
  () => remove(entry()),
]
for (let i = 0; i < rounds; i++) {
  try {
    pick(acts)()
  } catch {}
}
Atomics.store(done, 0, 1)
`

test('whatever another thread does to the directories, no tool and no workspace operation reaches outside', {
  timeout: 60_000,
}, async () => {
  const base = makeTemporaryDirectory({ isBusy: true })
  const outside = join(base, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'file.txt'), SECRET)
  const workspaces = createWorkspaces({ root: join(base, 'root') })
  await workspaces.create('main')
  await workspaces.create('fork')
  const directories = ['main', 'fork'].map((id) => workspaces.directory(id))
  const tools = workspaces.tools('main')
  const path = 'a/a/file.txt'
  const acts: readonly (() => Promise<unknown>)[] = [
    () => callTool(tools, 'read_file', { path }),
    () => callTool(tools, 'read_file', { path: 'a/file.txt' }),
    () => callTool(tools, 'write_file', { path, content: 'inside' }),
    () => callTool(tools, 'write_file', { path: 'b/a', content: 'inside' }),
    () => callTool(tools, 'list_files', {}),
    () => callTool(tools, 'search_files', { query: 'e' }),
    async () => workspaces.jail('main').remove(path),
    () => workspaces.fork('main', 'new').finally(() => workspaces.discard('new')),
    () => workspaces.merge('fork', 'main'),
    () => workspaces.commit('fork', 'main'),
  ]

  const done = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { directories, outside, rounds: ROUNDS, done }
  const worker = new Worker(CHAOS_SOURCE, { eval: true, execArgv: [], workerData })
  const ended = once(worker, 'exit')
  const counts = { done: 0, refused: 0 }
  for (let round = 0; Atomics.load(done, 0) === 0 || round < 100; round++) {
    try {
      expect(`${JSON.stringify(await acts[round % acts.length]?.())}`).not.toMatch(/secret/)
      counts.done++
    } catch (error) {
      if (!isHarnessError(error)) throw error
      expect(error.message).not.toContain(base)
      counts.refused++
    }
  }
  await ended

  expect(readdirSync(outside)).toEqual(['file.txt'])
  expect(readFileSync(join(outside, 'file.txt'), 'utf8')).toBe(SECRET)
  expect(Math.min(counts.done, counts.refused)).toBeGreaterThan(10)
})
