import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolContext } from '@harnesswright/core'
import { openJail, openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { afterEach, expect, test } from 'vitest'
import { generateTask, type WorldTask, withLatency } from '../src/index.js'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

test.each(['quotes:large', 'long-log:small', 'lookup-chain:large', 'wide-search:large'])(
  'every file of %s comes back as it was written through the tools of a workspace',
  async (spec) => {
    const { task, toolLatencyMs, tools } = generateTask(spec, { rng: 3 })
    const { folder } = prepare(task)
    const workspace = openWorkspace(folder)
    const offered = [...workspace.tools.map((tool) => withLatency(tool, toolLatencyMs)), ...tools]
    const read = offered.find((tool) => tool.name === 'read_file')

    expect(new Set(offered.map((tool) => tool.name)).size).toBe(offered.length)
    expect(read?.latencyMs).toBe(spec.startsWith('wide-search') ? 2_500 : 60)
    for (const { path, text } of task.files ?? []) {
      expect(await read?.execute({ path }, aContext(workspace.id))).toBe(text)
    }
    workspace.close()
  },
)

test('a search of a workspace finds the height of a tower, or the sheet that it is on', async () => {
  const { task } = generateTask('wide-search:large', { rng: 3 })
  const workspace = openWorkspace(prepare(task).folder)
  const search = workspace.tools.find((tool) => tool.name === 'search_files')
  for (const name of (/towers: ([^.]*)\./.exec(task.instruction)?.[1] ?? '').split(/, | and /)) {
    const found = String(await search?.execute({ query: name, path: '', pattern: false }, aContext(workspace.id)))

    expect(found).toMatch(
      new RegExp(`The height of ${name} is (?:\\d+ m\\.|on survey sheet \\d+ \\(sheets/sheet-\\d+\\.txt\\)\\.)`),
    )
    expect(found.split('\n').length).toBeGreaterThan(8)
  }
  workspace.close()
})

test('a quote is checked where it was written', async () => {
  const { task, check } = generateTask('quotes', { rng: 3 })
  const { jail } = prepare(task)
  const readFile = async (path: string): Promise<string | undefined> =>
    jail.list().some((file) => file.path === path) ? jail.readText(path) : undefined

  expect(await check({ readFile })).toMatchObject({ reward: 0, detail: 'answer.json is missing' })
  jail.write('answer.json', '{"lines":[],"sum":0}')
  expect((await check({ readFile })).detail).toMatch(/^0 of \d+ right/)
})

function prepare(task: WorldTask['task']): { readonly folder: string; readonly jail: ReturnType<typeof openJail> } {
  const folder = mkdtempSync(join(tmpdir(), 'harnesswright-world-'))
  folders.push(folder)
  const jail = openJail(folder)
  for (const { path, text = '' } of task.files ?? []) jail.write(path, text)
  return { folder, jail }
}

function aContext(workspace: string): ToolContext {
  return {
    callId: 'c1_1',
    signal: new AbortController().signal,
    workspace,
    path: '',
    step: 1,
    put: () => '',
    get: () => undefined,
  }
}
