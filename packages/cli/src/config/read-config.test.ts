import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox, type Surroundings } from '../../test/fake-io.js'
import { writeFiles, writeProject } from '../../test/fixture-project.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

const JSON_FILE = 'harnesswright.config.json'
const CODE_FILE = 'harnesswright.config.mjs'

/** A configuration with a price. */
const price = (more: object): string =>
  JSON.stringify({ models: { 'ollama:m': { price: { input: 1, output: 2, ...more } } } })

/** Asks for the seeds with a configuration: the quickest command that reads one. */
function seeds(files: Readonly<Record<string, string>>, argv: readonly string[] = [], around: Surroundings = {}) {
  writeFiles(box.root, files)
  return box.run(['seeds', ...argv], around)
}

describe('a configuration', () => {
  test('is read in the working directory and never looked for further up', async () => {
    writeFiles(box.root, { 'below/package.json': '{}' })

    expect((await seeds({ [JSON_FILE]: '{' })).code).toBe(3)
    expect((await box.run(['seeds'], { cwd: join(box.root, 'below') })).code).toBe(0)
    expect((await box.run(['seeds', '--no-config'])).code).toBe(0)
  })

  test.each([
    ['no JSON', '{', 'JSON'],
    ['no object', '[]', 'an object'],
    ['an unknown field', '{ "package": [] }', 'Write "packages"'],
    ['a path for a package', '{ "packages": ["../evil"] }', '/packages/0'],
    ['an absolute path for a package', '{ "packages": ["/etc"] }', '/packages/0'],
    ['an unknown default', '{ "defaults": { "modle": "sim-mid" } }', 'Write "model"'],
    ['a limit that is none', '{ "defaults": { "limits": { "steps": 0 } } }', '/defaults/limits/steps'],
    ['a model without an endpoint', '{ "models": { "gpt": {} } }', 'Write "openai:gpt"'],
    ['a model of an unknown endpoint', '{ "models": { "olama:a/b": {} } }', 'Write "ollama:a/b"'],
    ['an endpoint for a model', '{ "models": { "ollama:": {} } }', '/models/ollama:'],
    ['an unknown field of a model', '{ "models": { "ollama:m": { "window": 1 } } }', 'contextWindow'],
    [
      'a window that is none',
      '{ "models": { "ollama:a/b": { "contextWindow": "32k" } } }',
      '/ollama:a~1b/contextWindow',
    ],
    ['a price of a model in this process', '{ "models": { "llama:m": { "price": {} } } }', '/models/llama:m'],
    ['no answer to whether it has tools', '{ "models": { "ollama:m": { "tools": "no" } } }', '/ollama:m/tools'],
    ['a price without its source', price({ date: '2026-01-31' }), '/models/ollama:m/price/source'],
    ['a price without its date', price({ source: 'a page' }), '/models/ollama:m/price/date'],
    ['a price of no day', price({ source: 'a page', date: '2026-02-30' }), '/models/ollama:m/price/date'],
    ['a price below nothing', price({ source: 'a page', date: '2026-01-31', cached: -1 }), '/price/cached'],
    ['skills that are no list', '{ "skills": "skills" }', 'a list of folders'],
    ['a folder of skills that is none', '{ "skills": ["skills", 1] }', '/skills/1'],
    ['options that are no object', '{ "options": { "a/b#c": 1 } }', '/options/a~1b#c'],
  ])('with %s is refused, and the place and the fix are told', async (_what, text, told) => {
    const { code, stderr } = await seeds({ [JSON_FILE]: text })

    expect(code).toBe(3)
    expect(stderr).toMatch(/^error\[E_CLI_CONFIG\] .+\nwhere: .+\nexpected: .+\nfix: .+\ndocs: .+\n$/)
    expect(stderr).toContain(told)
  })

  test('gives the model and the limits of a run, under those of the command line', async () => {
    writeProject(box.root)
    writeFiles(box.root, { [JSON_FILE]: JSON.stringify({ defaults: { model: 'sim-small', limits: { steps: 3 } } }) })
    const run = async (...argv: readonly string[]) => {
      return (await box.run(['run', 'a task', '--manifest', 'thinks.json', ...argv])).stderr
    }

    expect(await run()).toMatch(/^model: sim-small .* named by the configuration.*\n[\s\S]*^limit \(steps\): 3 steps,/m)
    expect(await run('--limit', 'steps=2', '--model', 'sim-mid')).toMatch(
      /^model: sim-mid .* named by --model.*\n[\s\S]*^limit \(steps\): 2 steps,/m,
    )
  })

  test('two of them at once are refused', async () => {
    expect((await seeds({ [JSON_FILE]: '{}', [CODE_FILE]: 'export default {}' })).code).toBe(3)
  })

  test('--config names another file', async () => {
    expect((await seeds({ 'other.json': '{ "x": 1 }' }, ['--config', 'other.json'])).code).toBe(3)
    expect((await seeds({}, ['--config', 'none.json'])).stderr).toContain('ENOENT')
    expect((await seeds({}, ['--config', 'other.json', '--no-config'])).code).toBe(2)
    expect((await seeds({ 'other.yaml': '' }, ['--config', 'other.yaml'])).code).toBe(3)
  })
})

describe('a configuration that is code', () => {
  const code = (mark: string): string =>
    `globalThis[Symbol.for(${JSON.stringify(mark)})] = true\nexport default { packages: [] }`
  const forget = (mark: string): boolean => Reflect.deleteProperty(globalThis, Symbol.for(mark))

  test('is not run unless somebody says so', async () => {
    const { code: exit, stderr } = await seeds({ [CODE_FILE]: code('cli-untrusted') })

    expect(exit).toBe(3)
    expect(stderr).toContain('error[E_CLI_UNTRUSTED]')
    expect(Reflect.has(globalThis, Symbol.for('cli-untrusted'))).toBe(false)
  })

  test('is run with --trust-config, which is not remembered', async () => {
    expect((await seeds({ [CODE_FILE]: code('cli-trusted') }, ['--trust-config'])).code).toBe(0)
    expect(Reflect.has(globalThis, Symbol.for('cli-trusted'))).toBe(true)
    forget('cli-trusted')

    expect((await box.run(['seeds'])).code).toBe(3)
  })

  test('is run after a yes on a terminal, which is remembered for this very text', async () => {
    const yes: Surroundings = { columns: 80, reply: 'y' }

    expect((await seeds({ [CODE_FILE]: code('cli-asked') }, [], { columns: 80, reply: '' })).code).toBe(3)
    expect((await box.run(['seeds'], yes)).code).toBe(0)
    expect((await box.run(['seeds'])).code).toBe(0)
    expect((await seeds({ [CODE_FILE]: `${code('cli-asked')}\n// changed` })).code).toBe(3)
    forget('cli-asked')
  })

  test('that throws is told with its cause, and a yes is asked of nobody when standard input is no terminal', async () => {
    const thrown = await seeds({ [CODE_FILE]: "throw new Error('no good')" }, ['--trust-config'])
    const piped = await box.run(['seeds'], { columns: 80, reply: 'y', stdin: '' })

    expect(thrown).toMatchObject({ code: 3, stderr: expect.stringContaining('no good') })
    expect(piped.code).toBe(3)
    expect(existsSync(join(box.home, 'trusted-configs.txt'))).toBe(false)
  })
})
