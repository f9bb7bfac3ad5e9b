import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { FIXTURE, writeFiles, writeProject } from './fixture-project.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

const read = (...path: readonly string[]): string => readFileSync(join(box.root, ...path), 'utf8')

describe('create', () => {
  test('writes a package in the working directory, and says where it is and what to do next', async () => {
    const { code, stdout, stderr } = await box.run(['create', 'module', 'own-words', '--slot', 'planning'])

    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(box.root, 'own-words')}\n` })
    expect(stderr).toMatch(/^created harnesswright-plugin-own-words: \d+ files; next:\n {2}cd own-words\n/)
    expect(read('own-words', 'src', 'index.ts')).toContain("'./planning.js'")
  })

  test('--json says the name, the directory and the files', async () => {
    const { stdout } = await box.run(['create', 'seed', 'tree', '--json', '--quiet'])

    expect(JSON.parse(stdout)).toMatchObject({
      name: 'harnesswright-seed-tree',
      directory: join(box.root, 'tree'),
      files: expect.arrayContaining(['manifest.json', 'package.json']),
    })
  })

  test.each([
    [['create', 'modul', 'x'], 2, 'E_CREATE_USAGE'],
    [['create', 'module', 'x', '--slot', 'memry'], 2, 'E_CREATE_USAGE'],
    [['create', 'module', 'X'], 2, 'E_CREATE_NAME'],
    [['create', 'module', 'taken'], 3, 'E_CREATE_EXISTS'],
  ])('%j ends with %d and %s, in the form of every error', async (argv, code, error) => {
    writeFiles(box.root, { 'taken/mine.txt': 'mine' })
    const said = await box.run(argv)

    expect(said).toMatchObject({ code, stdout: '' })
    expect(said.stderr).toMatch(
      new RegExp(`^error\\[${error}\\] .+\nwhere: .+\nexpected: .+\nfix: .+\ndocs: docs/guide/errors-create.md#`),
    )
    expect(readdirSync(box.root)).toEqual(['taken'])
    expect(readdirSync(join(box.root, 'taken'))).toEqual(['mine.txt'])
  })
})

describe('describe', () => {
  const directory = `node_modules/${FIXTURE}`
  const file = `${directory}/harnesswright.json`
  const authority = { authority: 'none' }

  /** Gives the package of the fixture a statement of what it reaches. */
  function state(harnesswright: unknown): void {
    const manifest = JSON.parse(read(directory, 'package.json')) as object
    writeFiles(box.root, { [`${directory}/package.json`]: JSON.stringify({ ...manifest, harnesswright }) })
  }
  beforeEach(() => {
    writeProject(box.root)
    state(authority)
  })

  test('writes what the code is, and once more changes nothing', async () => {
    writeFiles(box.root, { [file]: '{}' })

    const { code, stdout, stderr } = await box.run(['describe', directory])

    expect(stdout).toMatch(/harnesswright\.json\n$/)
    expect({ code, stderr }).toEqual({ code: 0, stderr: `harnesswright.json of ${FIXTURE} written from the code\n` })
    const written = read(file)
    expect(JSON.parse(written)).toMatchObject({ name: FIXTURE, ...authority, modules: { answers: { slot: 'action' } } })
    expect(
      JSON.parse((await box.run(['describe', '--json'], { cwd: join(box.root, directory) })).stdout),
    ).toMatchObject({
      package: FIXTURE,
      state: 'same',
    })
    expect(read(file)).toBe(written)
  })

  test('--check writes nothing, and ends with 1 until the file says what the code is', async () => {
    writeFiles(box.root, { [file]: '{}' })

    const { code, stderr } = await box.run(['describe', directory, '--check', '--quiet'])

    expect(code).toBe(1)
    expect(stderr).toContain('differs from the code')
    expect(read(file)).toBe('{}')
    await box.run(['describe', directory])
    expect((await box.run(['describe', directory, '--check'])).code).toBe(0)
  })

  test.each([undefined, {}, { authority: 'all' }])('what a package reaches is never guessed: %j', async (stated) => {
    writeFiles(box.root, { [file]: '{}' })
    state(stated)

    const { code, stderr } = await box.run(['describe', directory])

    expect(code).toBe(3)
    expect(stderr).toMatch(/^error\[E_CLI_PACKAGE\] .*\n[\s\S]*^expected: .*none, workspace, network or process$/m)
    expect(read(file)).toBe('{}')
  })

  test('a package that was not built is named, and nothing is written', async () => {
    writeFiles(box.root, {
      'mine/package.json': JSON.stringify({ name: 'mine', exports: './dist/index.js', harnesswright: authority }),
    })
    const { code, stderr } = await box.run(['describe', 'mine'])

    expect(code).toBe(3)
    expect(stderr).toMatch(/^error\[E_CLI_PACKAGE\] The package mine cannot be loaded: [\s\S]*^fix: Build it first/m)
    expect(existsSync(join(box.root, 'mine/harnesswright.json'))).toBe(false)
  })

  test('a module that does not describe itself is named', async () => {
    const code =
      "export const silent = Object.defineProperty({ slot: 'memory', summary: 'x', options: 1 }, Symbol.for('harnesswright.module/1'), { value: true })"
    writeFiles(box.root, {
      'mine/package.json': JSON.stringify({
        name: 'mine',
        type: 'module',
        exports: './index.js',
        harnesswright: authority,
      }),
      'mine/index.js': code,
    })

    expect((await box.run(['describe', 'mine'])).stderr).toMatch(/^error\[E_PROTOCOL_MODULE\] mine#silent: /)
  })

  test.each([
    [['describe', 'nowhere'], 2, 'E_CLI_USAGE'],
    [['describe', 'a', 'b'], 2, 'E_CLI_USAGE'],
    [['describe', 'broken'], 3, 'E_CLI_PACKAGE'],
    [['describe', 'nameless'], 3, 'E_CLI_PACKAGE'],
  ])('%j ends with %d and %s', async (argv, code, error) => {
    writeFiles(box.root, { 'broken/package.json': '[]', 'nameless/package.json': '{}' })

    expect(await box.run(argv)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(`error[${error}]`) })
  })
})
