import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { FIXTURE, manifestOf, wasImported, writeFiles, writeProject } from './fixture-project.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
  writeProject(box.root)
})
afterEach(() => box.remove())

const read = (name: string): string => readFileSync(join(box.root, name), 'utf8')
const lockOf = (name: string) =>
  JSON.parse(read(name)) as { packages: Record<string, { version: string; integrity: string }> }

/** A manifest without ranges, laid out by hand. */
const BARE = `{
  "protocol": 1,
  "name": "mine",
  "memory": null, "planning": null,
  "capability": { "use": "@harnesswright/seed-react#capability" },
  "action": { "use": "${FIXTURE}#answers" }
}
`

/** Another version of the package of the project. */
function upgrade(version: string): void {
  const file = `node_modules/${FIXTURE}/package.json`
  writeFiles(box.root, { [file]: read(file).replace('"1.2.3"', `"${version}"`) })
}

describe('lock', () => {
  test('fills in the ranges, writes versions and hashes beside the manifest, and imports nothing', async () => {
    writeFiles(box.root, { 'mine.json': BARE })
    wasImported()

    const { code, stdout, stderr } = await box.run(['lock', 'mine.json'])

    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(box.root, 'mine.lock.json')}\n` })
    expect(stderr).toBe('locked: 2 packages; ranges were filled in\n')
    expect(read('mine.json')).toBe(
      BARE.replace(
        '"mine",\n',
        `"mine",\n  "packages": {\n    "${FIXTURE}": "^1.2.3",\n    "@harnesswright/seed-react": "^0.1.0"\n  },\n`,
      ),
    )
    expect(lockOf('mine.lock.json')).toEqual({
      lockVersion: 1,
      packages: {
        [FIXTURE]: { version: '1.2.3', integrity: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
        '@harnesswright/seed-react': {
          version: '0.0.0-linked',
          integrity: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        },
      },
    })
    expect(wasImported()).toBe(false)
    expect((await box.run(['run', '--manifest', 'mine.json', 'a task'])).code).toBe(0)
  })

  test('a second time changes nothing, and then --check is content', async () => {
    writeFiles(box.root, { 'mine.json': BARE })
    await box.run(['lock', 'mine.json'])
    const before = [read('mine.json'), read('mine.lock.json')]

    expect(await box.run(['lock', 'mine.json'])).toMatchObject({
      code: 0,
      stderr: 'locked: 2 packages, as they are installed\n',
    })
    expect(await box.run(['lock', 'mine.json', '--check'])).toMatchObject({ code: 0 })
    expect([read('mine.json'), read('mine.lock.json')]).toEqual(before)
    expect(readdirSync(box.root).filter((name) => name.includes('.part'))).toEqual([])
  })

  test('counts the manifests that stand in options, and fills their ranges in too', async () => {
    const child = {
      protocol: 1,
      name: 'child',
      memory: null,
      planning: null,
      capability: null,
      action: { use: '@harnesswright/seed-react#action' },
    }
    const description = `node_modules/${FIXTURE}/harnesswright.json`
    const open = JSON.parse(read(description)) as { modules: Record<string, { options: object }> }
    const { answers } = open.modules
    Object.assign(answers ?? {}, {
      options: { type: 'object', properties: { child: { type: 'object' } }, additionalProperties: false },
    })
    writeFiles(box.root, {
      [description]: JSON.stringify(open),
      'mine.json': JSON.stringify({ ...manifestOf('answers'), action: { use: `${FIXTURE}#answers`, with: { child } } }),
    })

    const { code, stdout } = await box.run(['lock', 'mine.json', '--json'])

    expect(code).toBe(0)
    expect(Object.keys((JSON.parse(stdout) as { packages: object }).packages)).toEqual([
      FIXTURE,
      '@harnesswright/seed-react',
    ])
    expect(JSON.parse(read('mine.json'))).toMatchObject({
      action: { with: { child: { packages: { '@harnesswright/seed-react': '^0.1.0' } } } },
    })
  })

  test.each([
    [
      'a package that is not installed',
      { action: { use: 'harnesswright-seed-nope#action' } },
      'E_CLI_PACKAGE',
      'npm install harnesswright-seed-nope',
    ],
    [
      'one with a range that says which',
      { packages: { 'harnesswright-seed-nope': '^2.0.0' }, action: { use: 'harnesswright-seed-nope#action' } },
      'E_CLI_PACKAGE',
      'npm install harnesswright-seed-nope@^2.0.0',
    ],
    [
      'one that is installed and that the project does not depend on',
      { action: { use: 'by-the-way#action' } },
      'E_CLI_PACKAGE',
      'add it to the dependencies',
    ],
    [
      'a module that a package does not have',
      { action: { use: `${FIXTURE}#anwsers` } },
      'E_MANIFEST_UNKNOWN_MODULE',
      `${FIXTURE}#answers`,
    ],
    [
      'a range that the installed version is not in',
      { packages: { [FIXTURE]: '^9.0.0' } },
      'E_MANIFEST_VERSION',
      '^9.0.0',
    ],
    [
      'a command in place of a package',
      { action: { use: 'x; rm -rf ~#action' } },
      'E_MANIFEST_UNKNOWN_MODULE',
      'rm -rf',
    ],
  ] as const)('%s is refused, and nothing is written', async (_what, change, errorCode, told) => {
    writeFiles(box.root, {
      'mine.json': JSON.stringify({ ...manifestOf('answers'), ...change }),
      'node_modules/by-the-way/package.json': '{ "name": "by-the-way", "version": "1.0.0" }',
    })
    const before = read('mine.json')

    const { code, stderr } = await box.run(['lock', 'mine.json'])

    expect(code).toBe(3)
    expect(stderr).toContain(errorCode)
    expect(stderr).toContain(told)
    expect(read('mine.json')).toBe(before)
    expect(existsSync(join(box.root, 'mine.lock.json'))).toBe(false)
  })

  test('a file with words around its manifest is refused, and so are none and several', async () => {
    writeFiles(box.root, { 'mine.md': `Here it is:\n${BARE}` })

    expect(await box.run(['lock', 'mine.md'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('error[E_CLI_FILE]'),
    })
    expect((await box.run(['lock'])).code).toBe(2)
    expect((await box.run(['lock', 'a.json', 'b.json'])).code).toBe(2)
  })
})

describe('lock --check', () => {
  test('ends with 1 where ranges are missing or there is no lock file, and writes nothing', async () => {
    writeFiles(box.root, { 'mine.json': BARE })

    const { code, stderr } = await box.run(['lock', 'mine.json', '--check'])

    expect(code).toBe(1)
    expect(stderr).toBe(
      'the manifest has no range for some of its packages\nthere is no lock file\nfix: harnesswright lock mine.json\n',
    )
    expect(read('mine.json')).toBe(BARE)
    expect(existsSync(join(box.root, 'mine.lock.json'))).toBe(false)
  })

  test('says of which package something else is installed, what was found and what is expected', async () => {
    await box.run(['lock', 'answers.json'])
    upgrade('1.3.0')

    const { code, stderr, stdout } = await box.run(['lock', 'answers.json', '--check', '--json'])

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^@acme\/harnesswright-odd: expected 1\.2\.3 \(sha256:[0-9a-f]{12}\); found 1\.3\.0 \(sha256:[0-9a-f]{12}\)$/m,
    )
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'differs',
      differences: [{ package: FIXTURE, found: { version: '1.3.0' }, expected: { version: '1.2.3' } }],
    })
    expect((await box.run(['lock', 'answers.json'])).code).toBe(0)
    expect((await box.run(['lock', 'answers.json', '--check'])).code).toBe(0)
  })

  test('tells a package that is locked and no longer named, and one that is named and not locked', async () => {
    await box.run(['lock', 'answers.json'])
    const other = { 'harnesswright-seed-old': { version: '1.0.0', integrity: 'sha256:0' } }
    writeFiles(box.root, { 'answers.lock.json': JSON.stringify({ lockVersion: 1, packages: other }) })

    const { code, stderr } = await box.run(['lock', 'answers.json', '--check'])

    expect(code).toBe(1)
    expect(stderr).toMatch(/^@acme\/harnesswright-odd: not locked; found 1\.2\.3 /m)
    expect(stderr).toMatch(/^harnesswright-seed-old: locked, and the manifest does not name it$/m)
  })
})

describe('a run of a manifest with a lock file', () => {
  beforeEach(async () => {
    await box.run(['lock', 'answers.json'])
  })
  const run = () => box.run(['run', '--manifest', 'answers.json', 'a task'])

  test('goes ahead where it agrees with what is installed, also with more than the manifest names', async () => {
    const { packages } = lockOf('answers.lock.json')
    const more = { ...packages, 'harnesswright-seed-old': { version: '1.0.0', integrity: 'sha256:0' } }
    writeFiles(box.root, { 'answers.lock.json': JSON.stringify({ lockVersion: 1, packages: more }) })

    expect((await run()).code).toBe(0)
  })

  test('is refused where another version is installed, with how to bring back what was locked', async () => {
    upgrade('1.3.0')
    wasImported()
    const { code, stderr } = await run()

    expect(code).toBe(3)
    expect(stderr).toMatch(
      /^error\[E_CLI_LOCK\] .*\n {2}@acme\/harnesswright-odd: expected 1\.2\.3 .*; found 1\.3\.0 /m,
    )
    expect(stderr).toContain(
      'fix: npm install @acme/harnesswright-odd@1.2.3 brings back what was locked; "harnesswright lock answers.json" locks',
    )
    expect(wasImported()).toBe(false)
    expect(readdirSync(join(box.home, 'runs'))).toEqual([])
  })

  test.each([
    ['validate', ['answers.json']],
    ['bench', ['worlds', '--harness', 'answers.json', '--worlds', 'quotes', '--out', 'results']],
    ['stream', ['--harness', 'answers.json', '--worlds', 'quotes', '--out', 'results']],
    ['evolve', ['--parent', 'answers.json', '--worlds', 'quotes', '--out', 'results']],
    ['bank', ['race', 'answers.json', '--worlds', 'quotes', '--out', 'results']],
  ])('is refused by %s too', async (command, words) => {
    upgrade('1.3.0')
    const { code, stderr } = await box.run([
      command,
      ...words,
      ...(command === 'validate' ? [] : ['--model', 'sim-mid']),
    ])

    expect(stderr).toContain('error[E_CLI_LOCK]')
    expect(code).toBe(3)
  })

  test('is refused where a file of the package is another in the same version', async () => {
    writeFileSync(join(box.root, 'node_modules', FIXTURE, 'extra.js'), 'export {}')

    expect(await run()).toMatchObject({ code: 3, stderr: expect.stringContaining('error[E_CLI_LOCK]') })
    rmSync(join(box.root, 'answers.lock.json'))
    expect((await run()).code).toBe(0)
  })

  test.each([
    ['{'],
    ['{}'],
    ['{ "lockVersion": 2, "packages": {} }'],
    ['{ "lockVersion": 1, "packages": { "a": "1.0.0" } }'],
  ])('is refused where the lock file is %j', async (text) => {
    writeFiles(box.root, { 'answers.lock.json': text })

    expect(await run()).toMatchObject({ code: 3, stderr: expect.stringContaining('is no lock file of this version') })
    expect((await box.run(['lock', 'answers.json', '--check'])).code).toBe(3)
  })
})
