import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '@harnesswright/core'
import { resumeLaw, type Script } from '@harnesswright/core/testkit'
import { type Jail, openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assembled, playing, selects, TASK } from './panel.js'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'oagent-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

/** A workspace and the forks of it, below the directory of the test. */
function open(): Pick<Environment, 'tools' | 'workspaces' | 'workspace'> & { readonly jail: Jail } {
  const main = join(base, 'now', 'main')
  mkdirSync(main, { recursive: true })
  const { workspaces, id, tools } = openWorkspace(main, { forks: join(base, 'now', 'forks') })
  return { tools, workspaces, workspace: id, jail: workspaces.jail(id) }
}

const write = (path: string, content: string): Script => ({ call: 'write_file', with: { path, content } })
const list: Script = { call: 'list_files' }
const experts: readonly (readonly Script[])[] = [
  [write('a.txt', 'A'), write('notes.txt', 'first'), 'wrote a'],
  [list, write('b.txt', 'B'), 'wrote b'],
  [list, 'wrote nothing'],
]
const files = (jail: Jail): readonly string[] => jail.list().map(({ path }) => `${path}: ${jail.readText(path)}`)

test.each<[string, Script, readonly string[], string]>([
  ['the expert that was selected', selects(2, 'wrote a and b'), ['b.txt: B', 'notes.txt: begun'], 'wrote b'],
  ['the first where the critic says nothing', 'Hm.', ['a.txt: A', 'notes.txt: first'], 'wrote a'],
])('files and answer are those of %s (D15.10)', async (_what, critic, expected, answer) => {
  const { jail, ...env } = open()
  jail.write('notes.txt', 'begun')
  const harness = await assembled(playing(experts, critic), { env })
  const { result } = harness.run(TASK)

  expect((await result).answer).toBe(answer)
  expect(files(jail)).toEqual(expected)
})

test('every expert starts from a clean workspace, and none sees files of another', async () => {
  const { jail, ...env } = open()
  jail.write('notes.txt', 'begun')
  const harness = await assembled(playing(experts, selects(3)), { env, options: { faithful: true } })
  const { children } = await harness.run(TASK).result

  const listed = Object.values(children).flatMap(({ steps }) =>
    steps.flatMap(({ observations }) =>
      observations.filter(({ tool }) => tool === 'list_files').map(({ content }) => content),
    ),
  )
  expect(listed.map((content) => content.includes('a.txt'))).toEqual([false, false])
  expect(files(jail)).toEqual(['notes.txt: begun'])
})

test('a run that goes on, from whatever point, has the same trace and the same files', async () => {
  let isFirst = true
  const ends = new Set<string>()
  const { points, withChildren, faults } = await resumeLaw({
    task: TASK,
    async fresh(journal) {
      const { jail, ...env } = open()
      if (isFirst) jail.write('notes.txt', 'begun')
      isFirst = false
      const model = playing(experts, selects(2))
      return { harness: await assembled(model, { env: { ...env, journal } }), requests: model.requests }
    },
    async keep() {
      const kept = mkdtempSync(join(base, 'kept-'))
      cpSync(join(base, 'now'), kept, { recursive: true })
      return async () => {
        ends.add(files(open().jail).join(', '))
        rmSync(join(base, 'now'), { recursive: true, force: true })
        cpSync(kept, join(base, 'now'), { recursive: true })
      }
    },
    once: (name) => name === 'write_file',
  })
  ends.add(files(open().jail).join(', '))

  expect(faults).toEqual([])
  expect([points > 20, withChildren > 5]).toEqual([true, true])
  expect([...ends]).toEqual(['b.txt: B, notes.txt: begun'])
}, 60_000)
