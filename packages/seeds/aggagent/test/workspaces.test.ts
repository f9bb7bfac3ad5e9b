import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment, RunResult } from '@harnesswright/core'
import { resumeLaw, type Script } from '@harnesswright/core/testkit'
import { type Jail, openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assembled, finish, type Lines, playing, TASK } from './team.js'

let base: string
let root: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'aggagent-'))
  root = join(base, 'now')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

/** A workspace with one file, and the forks of it, below the directory of the test. */
function open(): Pick<Environment, 'tools' | 'workspaces' | 'workspace'> & { readonly jail: Jail } {
  const forks = join(root, 'forks')
  const main = join(root, 'main')
  mkdirSync(main, { recursive: true })
  const { workspaces, id, tools } = openWorkspace(main, { forks })
  return { tools, workspaces, workspace: id, jail: workspaces.jail(id) }
}

const write = (path: string, content: string): Script => ({ call: 'write_file', with: { path, content } })
const list: Script = { call: 'list_files' }
const rollouts: Lines['rollouts'] = [
  [write('a.txt', 'A'), write('notes.txt', 'first'), list, 'wrote a'],
  [list, write('b.txt', 'B'), list, 'wrote b'],
]

async function run(lines: Lines, options: { readonly [name: string]: number | boolean } = {}) {
  const { jail, ...env } = open()
  jail.write('notes.txt', 'begun')
  const harness = await assembled(playing(lines), options, env)
  return { jail, result: await harness.run(TASK).result }
}

const listed = ({ children }: RunResult, rollout: number): readonly string[] =>
  (children[`1.rollout-${rollout}`]?.steps ?? []).flatMap(({ observations }) =>
    observations
      .filter(({ tool }) => tool === 'list_files')
      .map(({ content }) => content.replace(/ \(\d+ bytes\)/g, '')),
  )

const files = (jail: Jail): readonly string[] => jail.list().map(({ path }) => `${path}: ${jail.readText(path)}`)

test.each([{}, { faithful: true }])(
  'with %o every rollout starts from a clean workspace, and none sees files of another (D15.9)',
  async (options) => {
    const { result } = await run({ rollouts, judge: [finish('done', 1)] }, options)

    expect(listed(result, 1)).toEqual(['a.txt\nnotes.txt'])
    expect(listed(result, 2)).toEqual(['notes.txt', 'b.txt\nnotes.txt'])
  },
)

test.each([
  [1, ['a.txt: A', 'notes.txt: first']],
  [2, ['b.txt: B', 'notes.txt: begun']],
])('the files of rollout %d, which the verdict names, are kept, and of no other', async (number, expected) => {
  const { result, jail } = await run({ rollouts, judge: [finish('done', number)] })

  expect(result.steps.at(-1)?.action).toMatchObject({ kind: 'answer', commit: `1.rollout-${number}` })
  expect(files(jail)).toEqual(expected)
})

test('where the aggregator comes to no verdict the files are those of the rollout whose answer stands', async () => {
  const silent: Lines['rollouts'][number] = [write('c.txt', 'C'), write('c.txt', 'C'), write('c.txt', 'C')]
  const { result, jail } = await run({ rollouts: [silent, rollouts[1] ?? []], judge: ['Hm.'] }, { turns: 2 })

  expect(result).toMatchObject({ status: 'answered', answer: 'wrote b' })
  expect(files(jail)).toEqual(['b.txt: B', 'notes.txt: begun'])
})

test('a run that ends at a limit leaves the workspace as it was', async () => {
  const { jail, ...env } = open()
  jail.write('notes.txt', 'begun')
  const harness = await assembled(playing({ rollouts, judge: ['Hm.'] }), {}, env)
  const result = await harness.run(TASK, { limits: { steps: 6 } }).result

  expect(result).toMatchObject({ status: 'limit', answer: 'wrote a' })
  expect(files(jail)).toEqual(['notes.txt: begun'])
})

test('a run that goes on, from whatever point, has the same trace and the same files', async () => {
  const search = { call: 'search_trajectory', with: { query: 'wrote b' } }
  const lines = { rollouts, judge: [search, 'Hm.', finish('done', 2)] }
  const main = join(root, 'main')
  const seen = new Set<string>()
  const look = (): void =>
    void seen.add(
      readdirSync(main)
        .map((name) => `${name}: ${readFileSync(join(main, name))}`)
        .join(', '),
    )
  let isFirst = true
  const { points, withChildren, faults } = await resumeLaw({
    task: TASK,
    async fresh(journal) {
      const { jail, ...env } = open()
      if (isFirst) jail.write('notes.txt', 'begun')
      isFirst = false
      const model = playing(lines)
      return { harness: await assembled(model, {}, { ...env, journal }), requests: model.requests }
    },
    async keep() {
      const kept = mkdtempSync(join(base, 'kept-'))
      cpSync(root, kept, { recursive: true })
      return async () => {
        look()
        rmSync(root, { recursive: true, force: true })
        cpSync(kept, root, { recursive: true })
      }
    },
    once: (name) => name === 'write_file',
  })
  look()

  expect(faults).toEqual([])
  expect([points > 20, withChildren > 5]).toEqual([true, true])
  expect([...seen]).toEqual(['b.txt: B, notes.txt: begun'])
}, 60_000)
