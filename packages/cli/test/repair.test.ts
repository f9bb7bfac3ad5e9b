import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { writeFiles } from './fixture-project.js'
import { type ChatServer, serveChat } from './support/chat-server.js'

let box: Sandbox
const servers: ChatServer[] = []
beforeEach(() => {
  box = new Sandbox()
})
afterEach(async () => {
  box.remove()
  for (const server of servers.splice(0)) await server.close()
})

const MANIFEST = {
  protocol: 1,
  name: 'mine',
  packages: { '@harnesswright/seed-react': '>=0.1.0 <1.0.0' },
  memory: { use: '@harnesswright/seed-react#memory', with: { fill: 0.4 } },
  planning: null,
  capability: null,
  action: { use: '@harnesswright/seed-react#action' },
}

/** Mends a manifest of a file, with these changes. */
async function repaired(change: object, more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  writeFiles(box.root, { 'm.json': JSON.stringify({ ...MANIFEST, ...change }) })
  return await box.run(['repair', 'm.json', ...more], { env })
}

/** An endpoint that says this. */
async function says(content: string): Promise<string> {
  const message = { role: 'assistant', content }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  const server = await serveChat([() => ({ body: { choices, usage: { prompt_tokens: 500, completion_tokens: 50 } } })])
  servers.push(server)
  return server.url
}

const MISSPELT = { memory: { use: '@harnesswright/seed-react#memroy', with: { fil: '0.4' } } }

describe('repair', () => {
  test('mends names by the nearest ones, prints the manifest, and says what was wrong and what was done', async () => {
    const { code, stdout, stderr } = await repaired(MISSPELT)

    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual(MANIFEST)
    expect(stderr).toMatch(/^wrong: E_MANIFEST_UNKNOWN_MODULE at \/memory\/use: /m)
    expect(stderr).toMatch(/^repair 1 of m\.json by rules: replace \/memory\/use "@harnesswright\/seed-react#memory"/m)
    expect(stderr).toMatch(/^repair 2 of m\.json by rules: remove \/memory\/with\/fil; add \/memory\/with\/fill 0\.4/m)
    expect(stderr).toMatch(/^mended in 2 rounds$/m)
    expect(JSON.parse(readFileSync(join(box.root, 'm.json'), 'utf8'))).toMatchObject(MISSPELT)
  })

  test('writes it into its file with --write, and nothing to standard output', async () => {
    const { code, stdout, stderr } = await repaired(MISSPELT, ['--write'])

    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/^written: m\.json$/m)
    expect(JSON.parse(readFileSync(join(box.root, 'm.json'), 'utf8'))).toEqual(MANIFEST)
  })

  test('leaves no empty list of options behind the last one that it took away, and one that was there as it is', async () => {
    const { code, stdout, stderr } = await repaired({
      memory: { use: '@harnesswright/seed-react#memory', with: { colour: 'red', shape: 'round' }, prompts: {} },
      action: { use: '@harnesswright/seed-react#action', with: {} },
    })

    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ action: { use: '@harnesswright/seed-react#action', with: {} } })
    expect((JSON.parse(stdout) as typeof MANIFEST).memory).toEqual({
      use: '@harnesswright/seed-react#memory',
      prompts: {},
    })
  })

  test('says that nothing is wrong, and changes no byte', async () => {
    const { code, stdout, stderr } = await repaired({}, ['--write'])

    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/^nothing is wrong with it$/m)
    expect(readFileSync(join(box.root, 'm.json'), 'utf8')).toBe(JSON.stringify(MANIFEST))
  })

  test('ends with 3 and says what it may not touch, and writes nothing', async () => {
    const { code, stdout, stderr } = await repaired({ limits: { stepz: 3 } }, ['--write'])

    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^not mended: E_MANIFEST_UNKNOWN_FIELD at \/limits\/stepz: /m)
    expect(stderr).toContain('docs: docs/guide/compose.md#what-repair-may-touch')
  })

  test('with --json tells every round with its patch', async () => {
    const { code, stdout } = await repaired(
      { memory: { use: '@harnesswright/seed-react#memory', with: { fill: '0.4' } } },
      ['--json'],
    )

    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      mended: true,
      problems: [],
      rounds: [
        {
          round: 1,
          cases: [{ family: 'compile', code: 'E_MANIFEST_OPTION', slot: 'memory', within: ['/memory'] }],
          deltas: [{ by: 'rules', patch: [{ op: 'replace', path: '/memory/with/fill', value: 0.4 }] }],
          left: [],
        },
      ],
      spent: { modelCalls: 0 },
      manifest: MANIFEST,
    })
  })

  test('asks the model of --meta-model for what rules are not sure of, and says what it cost', async () => {
    const url = await says('{"patch":[{"op":"replace","path":"/memory/with/fill","value":"0.6"}]}')
    const change = { memory: { use: '@harnesswright/seed-react#memory', with: { fill: 'much' } } }
    const { code, stdout, stderr } = await repaired(change, ['--meta-model', 'compatible:mender'], {
      OPENAI_BASE_URL: url,
      OPENAI_MODEL: 'x',
    })

    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ memory: { with: { fill: 0.6 } } })
    expect(stderr).toMatch(/^repair 1 of m\.json by model compatible:mender: replace \/memory\/with\/fill 0\.6$/m)
    expect(stderr).toMatch(/^composed by compatible:mender: 1 model call, 550 tokens/m)
  })

  test('reads JSON with small slips, and amid words', async () => {
    writeFiles(box.root, { 'm.json': `Here:\n${JSON.stringify(MANIFEST).replace(/}$/, ',}')}\nDone.` })
    const { code, stdout, stderr } = await box.run(['repair', 'm.json'])

    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual(MANIFEST)
    expect(stderr).toMatch(/its slips are mended first/)
  })

  test.each([
    ['no file', ['repair'], 2],
    ['two files', ['repair', 'a.json', 'b.json'], 2],
    ['a file that is not there', ['repair', 'gone.json'], 3],
    ['a text without a manifest', ['repair', 'words.txt'], 3],
  ])('refuses %s', async (_what, argv, exit) => {
    writeFiles(box.root, { 'words.txt': 'There is {nothing} here.' })
    const { code, stderr } = await box.run(argv)

    expect(code).toBe(exit)
    expect(stderr).toMatch(/^error\[E_CLI_/m)
  })
})

describe('compose', () => {
  test('says with --explain what changes nothing, and has the record with --json', async () => {
    const { code, stdout, stderr } = await box.run(['compose', '--world', 'quotes', '--explain', '--json'])

    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      route: 'rules',
      record: { version: 1, attempts: [{ outcome: 'taken' }], selection: { how: 'first-valid', chosen: 0 } },
    })
  })

  test('proposes several and takes the one that is least like the others', async () => {
    const { code, stderr } = await box.run([
      'compose',
      '--world',
      'long-log:large',
      '--n',
      '3',
      '--select',
      'diverse',
      '--explain',
    ])

    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^chosen by diverse: \d of \d that passed \(scores /m)
  })

  test.each([
    ['a number that is none', ['--n', '9'], '--n "9" is no number of manifests'],
    ['a choice that is none', ['--select', 'jugde'], 'Write --select judge.'],
    ['a choice that needs a model', ['--select', 'judge'], 'Add --meta-model'],
  ])('refuses %s', async (_what, more, told) => {
    const { code, stderr } = await box.run(['compose', '--world', 'quotes', ...more])

    expect(code).toBe(2)
    expect(stderr).toContain(told)
  })
})
