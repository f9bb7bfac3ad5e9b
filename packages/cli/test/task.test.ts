import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox, type Surroundings } from './fake-io.js'
import { writeFiles, writeProject } from './fixture-project.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
  writeProject(box.root)
})
afterEach(() => box.remove())

/** Runs a harness that answers at once; gives the exit code, what was said, and the task as it was kept. */
async function take(argv: readonly string[], around: Surroundings = {}) {
  const said = await box.run(['run', '--manifest', 'answers.json', '--quiet', ...argv], around)
  const runs = existsSync(join(box.home, 'runs')) ? readdirSync(join(box.home, 'runs')).sort() : []
  const last = runs.at(-1)
  const record = last === undefined ? {} : JSON.parse(readFileSync(join(box.home, 'runs', last, 'result.json'), 'utf8'))
  return { ...said, task: (record as { task?: object }).task }
}

describe('the task', () => {
  test('is the argument, a file, a world, or standard input', async () => {
    writeFiles(box.root, {
      'task.txt': 'from a text\n',
      'task.json': JSON.stringify({ instruction: 'from JSON', inputs: { a: 1 } }),
    })

    expect((await take(['from an argument'])).task).toEqual({ instruction: 'from an argument' })
    expect((await take(['--task-file', 'task.txt'])).task).toEqual({ instruction: 'from a text' })
    expect((await take(['--task-file', 'task.json'])).task).toEqual({ instruction: 'from JSON', inputs: { a: 1 } })
    expect((await take(['--world', 'long-log:small'])).task).toMatchObject({
      id: expect.stringMatching(/^long-log-small/),
    })
    expect((await take([], { stdin: 'from a pipe\n' })).task).toEqual({ instruction: 'from a pipe' })
  })

  test.each([
    ['none on a terminal', [], {}, 2],
    ['an empty one', [' '], {}, 2],
    ['an empty one on standard input', [], { stdin: '\n' }, 2],
    ['several arguments', ['do', 'this'], {}, 2],
    ['an argument and a world', ['do this', '--world', 'quotes'], {}, 2],
    ['a world that there is not', ['--world', 'quoted'], {}, 2],
    ['a size that there is not', ['--world', 'quotes:huge'], {}, 2],
    ['a file that there is not', ['--task-file', 'none.txt'], {}, 3],
    ['a directory', ['--task-file', 'node_modules'], {}, 3],
  ] as const)('%s is refused', async (_what, argv, around, code) => {
    const said = await take(argv, around)

    expect(said.code).toBe(code)
    expect(said.stderr).toMatch(/^error\[E_\w+\] .+\nwhere: .+\nexpected: .+\nfix: .+\ndocs: .+$/m)
  })

  test.each([
    ['{ "instruction": ', 'JSON'],
    ['{ "instruction": "" }', '#/instruction'],
    ['{ "instruction": "x", "file": [] }', 'nearest: files'],
    ['{ "instruction": "x", "files": [{ "path": "a", "txt": "b" }] }', '#/files'],
  ])('a task file with %j is refused with the place', async (text, told) => {
    writeFiles(box.root, { 'task.json': text })

    expect(await take(['--task-file', 'task.json'])).toMatchObject({ code: 3, stderr: expect.stringContaining(told) })
  })
})

describe('the workspace', () => {
  const withFiles = (files: readonly object[]): void =>
    writeFiles(box.root, { 'task.json': JSON.stringify({ instruction: 'read notes/a.txt', files }) })

  test('--workspace is worked in where it is, and files of the task are written there', async () => {
    writeFiles(box.root, { 'work/keep.txt': 'mine' })
    withFiles([{ path: 'notes/a.txt', text: 'a' }])

    const { code } = await take(['--task-file', 'task.json', '--workspace', 'work'])

    expect(code).toBe(0)
    expect(readFileSync(join(box.root, 'work', 'notes', 'a.txt'), 'utf8')).toBe('a')
    expect(readFileSync(join(box.root, 'work', 'keep.txt'), 'utf8')).toBe('mine')
  })

  test('a file that is there with another text is never replaced', async () => {
    writeFiles(box.root, { 'work/notes/a.txt': 'mine' })
    withFiles([{ path: 'notes/a.txt', text: 'theirs' }])

    const { code, stderr } = await take(['--task-file', 'task.json', '--workspace', 'work'])

    expect(code).toBe(3)
    expect(stderr).toContain('E_CLI_WORKSPACE')
    expect(readFileSync(join(box.root, 'work', 'notes', 'a.txt'), 'utf8')).toBe('mine')
  })

  test.each([
    ['dot-files', '.env'],
    ['lock files', 'package-lock.json'],
    ['packages', 'node_modules/x/index.js'],
    ['the configuration', 'harnesswright.config.json'],
  ])('%s of --workspace are out of reach unless --allow-project-files is given', async (_what, path) => {
    withFiles([{ path, text: '{}' }])
    writeFiles(box.root, { 'work/a.txt': '' })
    const argv = ['--task-file', 'task.json', '--workspace', 'work']

    expect(await take(argv)).toMatchObject({ code: 3, stderr: expect.stringContaining('E_WORKSPACE_PROTECTED') })
    expect((await take([...argv, '--allow-project-files'])).code).toBe(0)
  })

  test.each([
    ['leaves the workspace', [{ path: '../a.txt', text: 'x' }], []],
    ['is not in a new workspace', [{ path: 'a.txt' }], []],
    ['is not in the named one', [{ path: 'notes/none.txt' }], ['--workspace', 'work']],
  ])('a file of the task that %s is refused', async (_what, files, more) => {
    writeFiles(box.root, { 'work/a.txt': '' })
    withFiles(files)

    const { code, stderr } = await take(['--task-file', 'task.json', ...more])

    expect(code).toBe(3)
    expect(stderr).toMatch(/^error\[E_(CLI_)?WORKSPACE/m)
  })

  test('--workspace must be a directory, and --allow-project-files stands beside it', async () => {
    expect((await take(['a task', '--workspace', 'none'])).code).toBe(3)
    expect((await take(['a task', '--allow-project-files'])).code).toBe(2)
  })
})
