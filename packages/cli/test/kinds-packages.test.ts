import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { FIXTURE, manifestOf, wasImported, writeFiles, writeProject } from './fixture-project.js'
import { serveChat, streamOf } from './support/chat-server.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
  writeProject(box.root)
})
afterEach(() => box.remove())

/** Everything that stands below the home, by its path. */
const left = (): readonly string[] => readdirSync(box.home, { recursive: true, encoding: 'utf8' })

describe('a package that throws when it is imported', () => {
  const run = (...more: readonly string[]) => box.run(['run', '--manifest', 'answers.json', 'a task', ...more])
  beforeEach(() => {
    const code =
      'globalThis[Symbol.for("harnesswright-odd.imported")] = true; throw new TypeError("this plugin wants another Node.js")'
    wasImported()
    writeFiles(box.root, { [`node_modules/${FIXTURE}/index.js`]: code })
  })

  test('K68: is named, with its version, how far it came and what it threw, and the exit code says so', async () => {
    const { code, stdout, stderr } = await run()

    expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
    expect(stderr).toMatch(
      /^error\[E_PROTOCOL_LOAD\] @acme\/harnesswright-odd 1\.2\.3 cannot be used \(import\): this plugin wants another Node\.js$/m,
    )
    expect(stderr).toMatch(/^where: @acme\/harnesswright-odd#answers, slot action$/m)
  })

  test('K68: is named to a program too, and no run is left that looks as if it had been one', async () => {
    const { code, stdout } = await run('--json')

    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      error: { code: 'E_PROTOCOL_LOAD', message: expect.stringContaining(`${FIXTURE} 1.2.3 cannot be used (import)`) },
    })
    expect(left().filter((path) => path.endsWith('result.json'))).toEqual([])
  })

  test('K68: is no hindrance to a run that does not name it, and is not imported for it', async () => {
    const use = (name: string) => ({ use: `@harnesswright/seed-react#${name}` })
    const manifest = {
      ...manifestOf('answers'),
      packages: { '@harnesswright/seed-react': '*' },
      memory: use('memory'),
      action: use('action'),
    }
    writeFiles(box.root, { 'other.json': JSON.stringify(manifest) })

    expect((await box.run(['run', '--manifest', 'other.json', '--world', 'quotes', '--rng', '7'])).code).toBe(0)
    expect(wasImported()).toBe(false)
    await run()
    expect(wasImported()).toBe(true)
  })
})

test('K70: a package of an older protocol is refused before it is imported, with the version of the protocol that is needed', async () => {
  const file = `node_modules/${FIXTURE}/harnesswright.json`
  const description = JSON.parse(readFileSync(join(box.root, file), 'utf8')) as object
  writeFiles(box.root, {
    [file]: JSON.stringify({ ...description, protocol: 0 }),
    [`node_modules/${FIXTURE}/index.js`]: "throw new Error('it was imported')",
  })
  const { code, stderr } = await box.run(['run', '--manifest', 'answers.json', 'a task'])

  expect(code).toBe(3)
  expect(stderr).toContain('E_MANIFEST_PROTOCOL')
  expect(stderr).toMatch(/^ *fix: Install a later version of @acme\/harnesswright-odd, made for protocol 1\.$/m)
  expect(stderr).not.toContain('it was imported')
})

test('K65: whatever a run, its model and its harness are named, the files that it leaves have names that are legal on Windows', async () => {
  const { url, close } = await serveChat([{ body: streamOf(['x']) }])
  const name = 'con: a/b\\c <*>?|"'
  writeFiles(box.root, { 'odd.json': JSON.stringify({ ...manifestOf('says'), name }) })
  const { code } = await box.run(
    ['run', '--manifest', 'odd.json', '/etc/hosts: what is this?', '--model', 'openai:a:b/c'],
    {
      env: { OPENAI_BASE_URL: url },
    },
  )
  await close()

  expect(code).toBe(0)
  const names = left().flatMap((path) => path.split(/[\\/]/))
  expect(names).toEqual(expect.arrayContaining(['runs', 'trace.jsonl', 'result.json', 'manifest.json']))
  for (const one of names) {
    expect(one).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$/)
    expect(one).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
  }
})
