import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type FaultServer,
  type FaultServerOptions,
  faultCases,
  refuse,
  say,
  startFaultServer,
} from '@harnesswright/core/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Check } from '../src/conformance/check.js'
import { checkPackage } from '../src/conformance/check-package.js'
import { findPackage } from '../src/packages/find-package.js'
import { OWN_DIRECTORY } from '../src/packages/project-packages.js'
import { readCatalog } from '../src/packages/read-catalog.js'
import { type Said, Sandbox, type Surroundings } from './fake-io.js'
import { FIXTURE, writeFiles, writeProject } from './fixture-project.js'
import { capableEndpoint, type Lack, MODEL } from './support/capable-endpoint.js'
import { serveChat } from './support/chat-server.js'
import { quickClock } from './support/quick-clock.js'

const KEY = 'sk-of-the-user-1234567890'

/** The object that a command line printed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it by name
const objectOf = ({ stdout }: Said): any => JSON.parse(stdout)

let box: Sandbox
beforeAll(async () => {
  await import('openai') // loaded at the first request, which would count as time of a run
})
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

/** Scenes that the built-in harness does not meet. One that is met is to be taken out. */
const GAPS: Readonly<Record<string, readonly string[]>> = {}

describe('the built-in harness', () => {
  let said: Said
  let checks: readonly Check[]
  const own = new Sandbox()
  beforeAll(async () => {
    said = await own.run(['conformance', '--json'])
    checks = objectOf(said).checks
  }, 60_000)
  afterAll(() => own.remove())

  const rows = faultCases.flatMap(({ id, modes, expects }) => modes.map((mode) => [id, mode, expects] as const))

  test.each(rows)('%s (%s) %s', (id, mode) => {
    const [check, ...more] = checks.filter((one) => one.name === id && one.mode === mode)
    expect(more).toEqual([])
    expect(check?.findings.map(({ scene }) => scene)).toEqual(GAPS[id] ?? [])
    expect(check?.notes).toEqual([])
  })

  test('there are 32 rows, 25 of them in both modes, and the exit code says whether all are met', () => {
    const failed = checks.filter(({ state }) => state === 'failed').length
    expect(faultCases).toHaveLength(32)
    expect(rows).toHaveLength(57)
    expect(objectOf(said)).toMatchObject({
      status: failed > 0 ? 'failed' : 'passed',
      target: { kind: 'harness', name: 'react' },
      passed: rows.length - failed,
      failed,
      skipped: 0,
    })
    expect(said.code).toBe(failed > 0 ? 1 : 0)
  })

  test('the guide has the words of every row', () => {
    const guide = readFileSync(new URL('../../../docs/guide/conformance.md', import.meta.url), 'utf8')
    const words = guide.replace(/ +/g, ' ')
    for (const { id, sentence, expects } of faultCases)
      expect(words).toContain(`| \`${id}\` | ${sentence} | ${expects} |`)
  })

  test('progress is on standard error, and standard output holds one object', () => {
    expect(said.stderr).toMatch(/^checking the built-in harness/)
    expect(said.stdout.trim().split('\n')).toHaveLength(1)
  })
})

describe('an endpoint', () => {
  const servers: FaultServer[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  async function serve(lack?: Lack, options: FaultServerOptions = {}): Promise<FaultServer> {
    const server = await startFaultServer(capableEndpoint(lack), options)
    servers.push(server)
    return server
  }

  const check = (url: string, around: Surroundings = {}, ...more: readonly string[]) =>
    box.run(['conformance', url, '--model', MODEL, '--json', ...more], { clock: quickClock, ...around })

  const states = (said: Said): Record<string, string> =>
    Object.fromEntries(objectOf(said).checks.map((one: Check) => [one.name, one.state]))

  test('that does all that is needed passes; what it does not claim is skipped', async () => {
    const server = await serve()
    const said = await check(server.baseUrl)
    expect(said.code).toBe(0)
    expect(objectOf(said)).toMatchObject({
      status: 'passed',
      target: { kind: 'endpoint', name: server.baseUrl, model: MODEL },
      passed: 12,
      failed: 0,
      skipped: 1,
    })
    expect(states(said)['wrong-key']).toBe('skipped')
    expect(said.stderr).toMatch(/without a key/)
  })

  test('is printed as a table, with the reason of what was skipped', async () => {
    const { baseUrl } = await serve()
    const said = await box.run(['conformance', `${baseUrl}/`, '--model', MODEL], { clock: quickClock })
    expect(said.stdout).toContain(`endpoint ${baseUrl}, model ${MODEL}\n`)
    expect(said.stdout).toMatch(/^ {2}passed {3}tool-call {9}A tool is called with an id/m)
    expect(said.stdout).toMatch(/^ {2}skipped {2}wrong-key {9}it takes any key$/m)
    expect(said.stdout).toMatch(/\n12 passed, 0 failed, 1 skipped\n$/)
  })

  test('has its line closed when a stream is aborted', async () => {
    const server = await serve()
    await check(server.baseUrl)
    expect(server.openRequests).toBe(0)
    expect(server.requests.length).toBeLessThanOrEqual(15)
  })

  test('gets the key of its address, and no other does; the key is never said', async () => {
    const mine = await serve(undefined, { apiKey: KEY })
    const other = await serve()
    const env = { OPENAI_BASE_URL: mine.baseUrl, OPENAI_API_KEY: KEY }
    const said = await check(mine.baseUrl, { env })
    const elsewhere = await check(other.baseUrl, { env })
    expect(states(said)).toMatchObject({ plain: 'passed', 'wrong-key': 'passed' })
    expect(said.stderr).toMatch(/with the key of OPENAI_API_KEY/)
    expect(elsewhere.stderr).toMatch(/without a key/)
    const keys = (server: FaultServer): unknown[] => server.requests.map(({ headers }) => headers['authorization'])
    expect(keys(other).filter((key) => key !== undefined)).toHaveLength(1) // the wrong key alone
    expect(`${said.stdout}${said.stderr}${elsewhere.stdout}${elsewhere.stderr}`).not.toContain(KEY)
    expect(JSON.stringify(mine.requests)).not.toContain(KEY)
  })

  test('that cannot be reached fails the first row, and no other is asked', async () => {
    const server = await serve()
    await server.close()
    const said = await check(server.baseUrl)
    expect(said.code).toBe(1)
    expect(objectOf(said)).toMatchObject({ status: 'failed', passed: 0, failed: 1, skipped: 12 })
    expect(objectOf(said).checks[0].findings[0]).toMatchObject({
      expected: 'an answer',
      found: expect.stringMatching(/ECONNREFUSED/),
    })
  })

  test('that is busy is asked again after the time that it names', async () => {
    const server = await serve((request) =>
      request.index === 0
        ? refuse(429, { message: 'busy', type: 'x' }, { 'retry-after': '1' })(request, [])
        : undefined,
    )
    const said = await check(server.baseUrl)
    expect(states(said)['plain']).toBe('passed')
    const [first, second] = server.requests
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(90) // a second of a clock ten times as fast
  })

  const last = ({ body }: Parameters<Lack>[0]): unknown => body.messages.at(-1)?.content
  const isPlain = (request: Parameters<Lack>[0]): boolean =>
    last(request) === 'Say the word ready.' && request.body.model === MODEL

  test.each<readonly [row: string, finding: RegExp, lack: Lack]>([
    ['plain', /a text as content/, (request) => (isPlain(request) ? say('')(request, []) : undefined)],
    [
      'usage',
      /prompt_tokens.*null/,
      (request) => (isPlain(request) ? say('ready', { usage: null })(request, []) : undefined),
    ],
    [
      'max-tokens',
      /length.*"stop"/,
      (request) => (request.body['max_tokens'] === undefined ? undefined : say('1 2 3')(request, [])),
    ],
    [
      'tool-call',
      /a call of the tool add/,
      (request) => (request.body['tools'] === undefined ? undefined : say('I would rather not.')(request, [])),
    ],
    [
      'tool-result',
      /the status 200.*no null/,
      (request) =>
        request.body.messages.some(({ content }) => content === null)
          ? refuse(400, { message: 'no null', type: 'x' })(request, [])
          : undefined,
    ],
    [
      'stream',
      /text\/event-stream/,
      (request) => (request.isStream ? say('ready')({ ...request, isStream: false }, []) : undefined),
    ],
    [
      'stream-usage',
      /prompt_tokens.*null/,
      (request) => (request.isStream && isPlain(request) ? say('ready', { usage: null })(request, []) : undefined),
    ],
    [
      'stream-tool-call',
      /a call of the tool add/,
      (request) => (request.isStream && request.body['tools'] !== undefined ? say('No.')(request, []) : undefined),
    ],
    [
      'json-schema',
      /the whole number days.*seven/,
      (request) =>
        request.body['response_format'] === undefined ? undefined : say('A week has seven days.')(request, []),
    ],
    [
      'unknown-model',
      /the status 400 or 404 or 422.*ready/,
      (request) => (request.body.model === MODEL ? undefined : say('ready')(request, [])),
    ],
    [
      'abort',
      /the status 200.*broken/,
      (request) =>
        isPlain(request) && request.index > 10 && !request.isStream
          ? refuse(500, { message: 'broken', type: 'x' })(request, [])
          : undefined,
    ],
  ])('that lacks what %s is about is told so', async (row, finding, lack) => {
    const said = await check((await serve(lack)).baseUrl)
    const found = objectOf(said).checks.find((one: Check) => one.name === row) as Check
    expect(said.code).toBe(1)
    expect(found.state).toBe('failed')
    expect(found.findings.map(({ expected, found: what }) => `${expected}; ${what}`).join()).toMatch(finding)
  })

  test('that answers whatever it is asked, or falls over a wrong key, is told so', async () => {
    const ready = { choices: [{ index: 0, message: { role: 'assistant', content: 'ready' }, finish_reason: 'stop' }] }
    const server = await serveChat([
      ({ headers }) => (headers.authorization === undefined ? { body: ready } : { status: 500, body: {} }),
    ])
    const said = await check(server.url)
    await server.close()
    const found = (row: string): unknown => objectOf(said).checks.find((one: Check) => one.name === row).findings[0]
    expect(found('bad-request')).toMatchObject({ found: expect.stringMatching(/^200: /) })
    expect(found('wrong-key')).toMatchObject({ expected: 'the status 401 or 403', found: '500: {}' })
  })

  test('that takes no JSON Schema does not claim one', async () => {
    const server = await serve((request) =>
      request.body['response_format'] === undefined
        ? undefined
        : refuse(400, { message: 'response_format is not known', type: 'x' })(request, []),
    )
    const said = await check(server.baseUrl)
    expect(said.code).toBe(0)
    expect(states(said)['json-schema']).toBe('skipped')
  })

  test('that refuses the most exact demand for a call is asked in a less exact one', async () => {
    const server = await serve((request) =>
      typeof request.body['tool_choice'] === 'object'
        ? refuse(400, { message: 'tool_choice must be a text', type: 'x' })(request, [])
        : undefined,
    )
    expect(states(await check(server.baseUrl))).toMatchObject({ 'tool-call': 'passed', 'stream-tool-call': 'passed' })
  })
})

describe('a package', () => {
  /** Checks of a package, until one says enough. */
  async function checksOf(name: string, isEnough: (check: Check) => boolean): Promise<Check[]> {
    const found = findPackage(name, OWN_DIRECTORY)
    if (found === undefined) throw new Error(`${name} is not installed`)
    const checks: Check[] = []
    const around = { catalog: readCatalog(), signal: new AbortController().signal, now: () => performance.now() }
    for await (const check of checkPackage(found, around)) {
      checks.push(check)
      if (isEnough(check)) break
    }
    return checks
  }

  test('of a seed is checked module by module, then as a seed, then as a harness', async () => {
    const checks = await checksOf('@harnesswright/seed-react', ({ name }) => name === 'unknown-tool')
    expect(checks.filter(({ state }) => state !== 'passed')).toEqual([])
    const groups = [...new Set(checks.map(({ group }) => group))]
    expect(groups).toEqual([
      'module action',
      'module capability',
      'module memory',
      'module planning',
      'module window',
      'seed react',
      'harness react',
    ])
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['MOD-1', 'MEM-4', 'ACT-3', 'SEED-3', 'ok']))
  })

  test('of models is checked with the models that can be sent to an endpoint', async () => {
    const checks = await checksOf('@harnesswright/plugin-model-openai', ({ name }) => name === 'unknown-tool')
    expect(checks.map(({ group, name, state }) => [group, name, state])).toEqual([
      ['harness react on createFallbackModel', 'faults', 'skipped'],
      ['harness react on createOpenAiModel', 'ok', 'passed'],
      ['harness react on createOpenAiModel', 'ok', 'passed'],
      ['harness react on createOpenAiModel', 'unknown-tool', 'passed'],
    ])
    expect(checks[0]?.notes[0]).toMatch(/no model that asks the endpoint/)
  })

  test('is found by its name in the project, and what it breaks is told', async () => {
    writeProject(box.root)
    const said = await box.run(['conformance', FIXTURE])
    expect(said.code).toBe(1)
    expect(said.stdout).toMatch(/^module answers$/m)
    expect(said.stdout).toMatch(/^ {2}passed {2}MOD-1 {2}describes itself/m)
    expect(said.stdout).toMatch(/^ {2}failed {2}ACT-1 {2}expected: .*; found: /m)
    for (const unsafe of ['\u001b', '\u202e']) expect(said.stdout).not.toContain(unsafe)
  })

  test('is found by its directory', async () => {
    writeProject(box.root)
    const said = await box.run(['conformance', `./node_modules/${FIXTURE}`, '--json'])
    expect(said.code).toBe(1)
    expect(objectOf(said).target).toEqual({ kind: 'package', name: FIXTURE })
  })

  test('without anything to check, that does not load, or whose package.json is torn, is told so', async () => {
    writeFiles(box.root, {
      'node_modules/plain/package.json': JSON.stringify({ name: 'plain', type: 'module', exports: './index.js' }),
      'node_modules/plain/index.js': 'export const answer = 42',
      'node_modules/broken/package.json': JSON.stringify({ name: 'broken', type: 'module', exports: './index.js' }),
      'node_modules/broken/index.js': "throw new Error('no')",
    })
    writeFiles(box.root, { 'torn/package.json': '{"name":' })
    const torn = await box.run(['conformance', './torn'])
    const plain = await box.run(['conformance', 'plain'])
    const broken = await box.run(['conformance', 'broken', '--json'])
    expect([torn.code, plain.code, broken.code]).toEqual([3, 3, 3])
    expect(torn.stderr).toMatch(/error\[E_CLI_PACKAGE\] The package.json of .\/torn cannot be read/)
    expect(plain.stderr).toMatch(/error\[E_CLI_PACKAGE\] The package plain has nothing that can be checked\./)
    expect(objectOf(broken)).toMatchObject({ status: 'failed', reason: 'E_CLI_PACKAGE' })
  })
})

describe('a target that is none', () => {
  test.each<readonly [argv: readonly string[], says: RegExp]>([
    [
      ['@harnesswright/seed-reakt'],
      /There is no package "@harnesswright\/seed-reakt"[\s\S]*nearest: @harnesswright\/seed-react/,
    ],
    [['nothing like it'], /There is no package "nothing like it"/],
    [['./nowhere'], /The directory ".\/nowhere" holds no package/],
    [['one', 'two'], /2 targets are named/],
    [['http://127.0.0.1:1/v1'], /The model of the endpoint is not named/],
    [['http://me:secret@127.0.0.1:1/v1', '--model', 'm'], /The address of the endpoint cannot be used/],
    [['--model', 'm'], /--model names the model of an endpoint/],
  ])('%j ends with exit code 2', async (argv, says) => {
    const said = await box.run(['conformance', ...argv])
    expect(said.code).toBe(2)
    expect(said.stderr).toMatch(says)
    expect(said.stdout).toBe('')
    expect(said.stderr).not.toContain('secret')
  })
})

test('an interruption ends it', async () => {
  writeFileSync(join(box.root, 'package.json'), '{}')
  const said = await box.run(['conformance'], {
    onError: (_text, send) => setTimeout(() => send('SIGINT'), 50),
  })
  expect(said.code).toBe(130)
  expect(said.stdout).toBe('')
})
