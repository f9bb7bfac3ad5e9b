import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EXIT } from '../src/exit-codes.js'
import { type Said, Sandbox, type Surroundings } from './fake-io.js'
import { FIXTURE, type FixtureAction, writeProject } from './fixture-project.js'
import { serveChat, streamOf } from './support/chat-server.js'
import { type GatedEndpoint, serveGated } from './support/gated-endpoint.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
  writeProject(box.root)
})
afterEach(() => box.remove())

/** Directory of the only run. */
function runDirectory(): string {
  const [only, ...others] = readdirSync(join(box.home, 'runs'))
  if (only === undefined || others.length > 0) throw new Error('one run was expected')
  return join(box.home, 'runs', only)
}

/** Id of the only run. */
const runId = (): string => runDirectory().split(/[\\/]/).at(-1) ?? ''

/** What `--json` says. */
interface Result {
  readonly status: string
  readonly answer: unknown
  readonly check?: { readonly passed: boolean }
  readonly steps: number
  readonly modelCalls: number
  readonly snapshot: string | null
  readonly questions: readonly { readonly id: string; readonly question: string; readonly schema?: object }[]
}

const resultOf = ({ stdout }: Said): Result => JSON.parse(stdout) as Result

const runAction = (action: FixtureAction, around: Surroundings = {}, ...more: readonly string[]) =>
  box.run(['run', '--manifest', `${action}.json`, 'a task', ...more], around)

/** The words of the command that a run said goes on with it. */
function commandOf({ stderr }: Said): string {
  const [, command] = /^to go on: (harnesswright resume .*)$/m.exec(stderr) ?? []
  if (command === undefined) throw new Error('no command was told')
  return command
}

describe('a process that is killed', () => {
  let endpoint: GatedEndpoint
  beforeAll(async () => {
    endpoint = await serveGated()
  })
  afterAll(() => endpoint.close())

  const TASK = ['--world', 'quotes', '--rng', '7', '--json', '--model', 'sim:sim-mid']

  /** Runs the program until it has sent so many requests, and kills it while it waits for the answer to the last. */
  async function killAt(request: number): Promise<void> {
    const bin = fileURLToPath(new URL('../src/bin.ts', import.meta.url))
    const tsx = createRequire(import.meta.url).resolve('tsx')
    const isHeld = endpoint.holdAt(request)
    const child = spawn(
      process.execPath,
      ['--import', tsx, '--conditions=@harnesswright/source', bin, 'run', ...TASK],
      {
        env: { PATH: process.env['PATH'], HARNESSWRIGHT_HOME: box.home, OPENAI_BASE_URL: endpoint.url },
        cwd: box.root,
        stdio: 'ignore',
      },
    )
    const exited = once(child, 'exit')
    await isHeld
    child.kill('SIGKILL')
    expect(await exited).toEqual([null, 'SIGKILL'])
    endpoint.holdAt(0)
  }

  test.each([1, 4])(
    'at model call %i is gone on with: the same answer, and nothing is asked again',
    async (request) => {
      endpoint.holdAt(0)
      const whole = new Sandbox()
      const expected = resultOf(await whole.run(['run', ...TASK], { env: { OPENAI_BASE_URL: endpoint.url } }))
      const { requests } = endpoint
      whole.remove()
      await killAt(request)
      appendFileSync(join(runDirectory(), 'journal.jsonl'), '{"path":"","ms":1,"st') // it was killed while it wrote

      const resumed = await box.run(['resume', runId(), '--json'], { env: { OPENAI_BASE_URL: endpoint.url } })

      expect(resumed.code).toBe(0)
      expect(resultOf(resumed)).toMatchObject({
        status: 'answered',
        answer: expected.answer,
        check: { passed: true },
        steps: expected.steps,
        modelCalls: expected.modelCalls,
      })
      expect(endpoint.requests).toBe(requests - request + 1)
      expect(resumed.stderr).toMatch(/^model: sim:sim-mid .*, as when the run began$/m)
      expect(existsSync(join(runDirectory(), 'pid'))).toBe(false)
    },
    60_000,
  )
})

describe('a run that is interrupted', () => {
  const interruptAt = (step: number, signal: 'SIGINT' | 'SIGTERM') => {
    const argv = ['run', '--world', 'quotes', '--rng', '7', '--json']
    return box.run(argv, {
      onError: (text, send) => {
        if (text.startsWith(`step ${step} `)) send(signal)
      },
    })
  }

  test.each([
    [1, 'SIGINT', 130],
    [2, 'SIGTERM', 143],
    [4, 'SIGINT', 130],
  ] as const)('after step %i leaves a snapshot, says how it goes on, and goes on', async (step, signal, code) => {
    const interrupted = await interruptAt(step, signal)
    const snapshot = join(runDirectory(), 'snapshot.json')
    const resumed = await box.run([...commandOf(interrupted).split(' ').slice(1), '--json'])

    expect(interrupted.code).toBe(code)
    expect(interrupted.stderr).toContain(`\nsnapshot written: ${snapshot}\n`)
    expect(resultOf(interrupted)).toMatchObject({ status: 'aborted', snapshot })
    expect(JSON.parse(readFileSync(snapshot, 'utf8'))).toMatchObject({ version: 1 })
    expect(resumed.code).toBe(0)
    expect(resultOf(resumed)).toMatchObject({ status: 'answered', check: { passed: true }, snapshot: null })
    expect(resumed.stderr).not.toMatch(new RegExp(`^step ${step} `, 'm'))
  })

  test('goes on from its snapshot, its directory or its journal alike, and its trace goes on too', async () => {
    await interruptAt(2, 'SIGINT')
    const directory = runDirectory()
    const before = readFileSync(join(directory, 'trace.jsonl'), 'utf8')
    const copies = ['snapshot.json', 'journal.jsonl', '.'].map((file, index) => {
      const copy = join(box.root, `copy-${index}`)
      cpSync(directory, copy, { recursive: true })
      return join(copy, file)
    })

    for (const path of [...copies, join(directory, 'snapshot.json')]) {
      expect(resultOf(await box.run(['resume', path, '--json']))).toMatchObject({ check: { passed: true } })
    }
    expect(readFileSync(join(directory, 'trace.jsonl'), 'utf8').startsWith(before)).toBe(true)
  })

  test('goes on from a snapshot whose journal is lost', async () => {
    await interruptAt(2, 'SIGINT')
    rmSync(join(runDirectory(), 'journal.jsonl'))

    expect(resultOf(await box.run(['resume', runId(), '--json']))).toMatchObject({ check: { passed: true } })
    expect(existsSync(join(runDirectory(), 'journal.jsonl'))).toBe(false)
  })

  test('goes on with the model, the limits and the random seed that it had, whatever is set now', async () => {
    const argv = ['run', '--world', 'quotes', '--rng', '7', '--json', '--limit', 'steps=3']
    await box.run(argv, { onError: (text, send) => text.startsWith('step 2 ') && send('SIGINT') })

    const env = { HARNESSWRIGHT_MODEL: 'sim-small', OPENAI_MODEL: 'other', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
    const resumed = await box.run(['resume', runId(), '--json'], { env })

    expect(resumed.stderr).toMatch(/^model: sim-mid /m)
    expect(resultOf(resumed)).toMatchObject({ status: 'limit', reason: 'steps', steps: 3 })
  })

  test('goes on within lower limits where --limit gives them, and never within higher ones', async () => {
    const argv = ['run', '--world', 'quotes', '--rng', '7', '--json', '--limit', 'steps=9,tokens=500000']
    await box.run(argv, { onError: (text, send) => text.startsWith('step 2 ') && send('SIGINT') })

    const higher = await box.run(['resume', runId(), '--limit', 'steps=10'])
    const lower = await box.run(['resume', runId(), '--limit', 'steps=3', '--json'])

    expect(higher).toMatchObject({ code: 2, stdout: '' })
    expect(higher.stderr).toMatch(/^error\[E_CLI_OPTION\] .*steps=9.*steps=10.*lower limits alone\.$/m)
    expect(resultOf(lower)).toMatchObject({ status: 'limit', reason: 'steps', steps: 3 })
  })

  test('is not gone on with on another model, unless that is allowed', async () => {
    await interruptAt(2, 'SIGINT')

    const refused = await box.run(['resume', runId(), '--model', 'sim-frontier'])
    const allowed = await box.run(['resume', runId(), '--model', 'sim-frontier', '--allow-other-model', '--json'])

    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toMatch(
      /^error\[E_CLI_RESUME\] .*"sim-mid".*"sim-frontier"\.\n[\s\S]*^fix: .*--allow-other-model/m,
    )
    expect(resultOf(allowed)).toMatchObject({ status: 'answered', model: 'sim-frontier' })
  })

  test('is not gone on with while another process is at work on it', async () => {
    await interruptAt(2, 'SIGINT')
    const claim = join(runDirectory(), 'pid')

    writeFileSync(claim, String(process.ppid))
    const refused = await box.run(['resume', runId()])
    writeFileSync(claim, '999999999')
    const resumed = await box.run(['resume', runId()])

    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/still under way, in process \d+/) })
    expect(resumed.code).toBe(0)
  })
})

describe('a run that failed', () => {
  test('of a model says how it is tried again, and goes on from its last step', async () => {
    const server = await serveChat([{ status: 401, body: {} }, { body: streamOf(['all is well']) }])
    const env = { OPENAI_BASE_URL: server.url }

    const failed = await runAction('says', { env }, '--model', 'openai:m', '--json')
    const resumed = await box.run(commandOf(failed).split(' ').slice(1), { env })
    await server.close()

    expect(failed.code).toBe(4)
    expect(resultOf(failed)).toMatchObject({ status: 'failed', snapshot: join(runDirectory(), 'snapshot.json') })
    expect(resumed).toMatchObject({ code: 0, stdout: 'all is well\n' })
  })

  test('because the agent gave up is over', async () => {
    const failed = await runAction('fails', {}, '--json')

    expect(resultOf(failed).snapshot).toBeNull()
    expect(failed.stderr).not.toContain('to go on')
    expect(await box.run(['resume', runId()])).toMatchObject({ code: 7 })
  })
})

describe('a question to a person', () => {
  test('that nobody can be asked now ends with 8, and with its answer the run goes on', async () => {
    const waiting = await runAction('wonders', {}, '--json')
    const again = await box.run(['resume', runId(), '--json'])
    const command = commandOf(waiting)
    const answered = await box.run(['resume', runId(), '--answer', '#1=in 1999 = MCMXCIX', '--json'])

    expect(waiting.code).toBe(8)
    expect(resultOf(waiting)).toMatchObject({
      status: 'waiting',
      answer: null,
      snapshot: join(runDirectory(), 'snapshot.json'),
      questions: [{ id: '#1', question: expect.stringContaining('Which year') }],
    })
    expect(waiting.stderr).toMatch(/^question #1: Which year\?$/m)
    expect(command).toBe(`harnesswright resume ${runId()} --answer '#1=…'`)
    expect(again.code).toBe(8)
    expect(answered.code).toBe(0)
    expect(resultOf(answered)).toMatchObject({ status: 'answered', answer: 'in 1999 = MCMXCIX', questions: [] })
  })

  test('with a shape takes JSON, and no other answer', async () => {
    const waiting = await runAction('counts')
    const wrong = await box.run(['resume', runId(), '--answer', '#1=many'])
    const right = await box.run(['resume', runId(), '--answer', '#1=42', '--json'])

    expect(waiting.stderr).toMatch(/^question #1: How many\?\n {2}the answer is JSON of the shape {"type":"integer"}$/m)
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('error[E_RUN_ANSWER]') })
    expect(resultOf(right)).toMatchObject({ status: 'answered', answer: 42 })
  })

  test.each([
    ['an answer to no question', ['--answer', '#7=x'], /E_RUN_ANSWER\] .*#7[\s\S]*#1/],
    ['two answers to one', ['--answer', '#1=x', '--answer', '#1=y'], /E_CLI_OPTION/],
    ['an answer without a value', ['--answer', '#1'], /E_CLI_OPTION/],
  ])('%s is refused, and the run still waits', async (_what, argv, told) => {
    await runAction('wonders')
    const refused = await box.run(['resume', runId(), ...argv])

    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(told) })
    expect((await box.run(['resume', runId(), '--answer', '#1=x'])).code).toBe(0)
  })

  test('is asked on a terminal, and an empty answer means later', async () => {
    const asked = await runAction('counts', { columns: 100, reply: '12' }, '--json')
    const later = await box.run(['run', '--manifest', 'wonders.json', 'a task'], { columns: 100, reply: ' ' })

    expect(resultOf(asked)).toMatchObject({ status: 'answered', answer: 12 })
    expect(asked.stderr).toMatch(/question #1: How many\?\n/)
    expect(later.code).toBe(8)
    expect(later.stderr).toMatch(/^to go on: harnesswright resume /m)
  })
})

describe('the workspace', () => {
  test('that was named is found again, and is as the run left it', async () => {
    mkdirSync(join(box.root, 'work'))
    const waiting = await runAction('writes', {}, '--workspace', 'work')
    writeFileSync(join(box.root, 'work', 'note.txt'), 'mended by hand')
    const resumed = await box.run(['resume', runId(), '--answer', '#2=yes'], { cwd: box.root })

    expect(waiting.code).toBe(8)
    expect(resumed).toMatchObject({ code: 0, stdout: 'done\n' })
    expect(readFileSync(join(box.root, 'work', 'note.txt'), 'utf8')).toBe('mended by hand')
  })

  test('of records that come from elsewhere must be named again', async () => {
    mkdirSync(join(box.root, 'work'))
    await runAction('writes', {}, '--workspace', 'work')
    const copy = join(box.root, 'from-elsewhere')
    cpSync(runDirectory(), copy, { recursive: true })

    const refused = await box.run(['resume', copy, '--answer', '#2=yes'])
    const named = await box.run(['resume', copy, '--answer', '#2=yes', '--workspace', 'work'])

    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/E_CLI_RESUME[\s\S]*--workspace /) })
    expect(named.code).toBe(0)
  })
})

describe('what cannot be gone on with', () => {
  test('a manifest of a model is trusted no more than when the run began', async () => {
    await runAction('writes')
    const [card, described] = [
      join(runDirectory(), 'run.json'),
      join(box.root, 'node_modules', FIXTURE, 'harnesswright.json'),
    ]
    const change = (file: string, to: object): void =>
      writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...to }))
    change(described, { authority: 'network' })

    change(card, { origin: 'model' })
    const refused = await box.run(['resume', runId(), '--answer', '#2=yes'])
    change(card, { origin: 'person' })
    const trusted = await box.run(['resume', runId(), '--answer', '#2=yes'])

    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('E_MANIFEST_AUTHORITY') })
    expect(trusted.code).toBe(0)
  })

  test('a run that is over gives what came of it, again', async () => {
    const first = await runAction('answers')

    expect(await box.run(['resume', runId()])).toMatchObject({ code: 0, stdout: first.stdout })
  })

  test('a run that is not there is told with the newest or the nearest', async () => {
    await runAction('answers')
    const near = `${runId().slice(0, -1)}${runId().endsWith('0') ? '1' : '0'}`

    for (const named of [near, 'nowhere']) {
      expect(await box.run(['resume', named])).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
          new RegExp(`E_CLI_RESUME[\\s\\S]*^fix: Write "harnesswright resume ${runId()}"`, 'm'),
        ),
      })
    }
    expect((await box.run(['resume'])).code).toBe(2)
    expect((await box.run(['resume', 'a', 'b'])).code).toBe(2)
  })

  test.each([
    ['no card', 'run.json', undefined, 'E_CLI_RESUME'],
    ['a card that is no JSON', 'run.json', '{', 'E_CLI_RESUME'],
    ['a card of another version', 'run.json', '{"version":2}', 'E_CLI_RESUME'],
    [
      'a card with a path for a workspace that is none',
      'run.json',
      { workspace: { named: '../x', allowsProjectFiles: true } },
      'E_CLI_RESUME',
    ],
    ['an unknown route', 'run.json', { route: 'magic' }, 'E_CLI_RESUME'],
    ['a manifest of nowhere', 'run.json', { origin: 'heaven' }, 'E_CLI_RESUME'],
    ['an empty journal', 'journal.jsonl', '', 'E_CLI_RESUME'],
  ])('a run with %s is refused without a stack', async (_what, file, content, code) => {
    await runAction('wonders')
    const path = join(runDirectory(), file)
    if (content === undefined) rmSync(path)
    else if (typeof content === 'string') writeFileSync(path, content)
    else writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...content }))

    const { code: exit, stderr } = await box.run(['resume', runId()])

    expect(exit).toBe(3)
    expect(stderr).toMatch(new RegExp(`^error\\[${code}\\] .+\\nwhere: .+\\nexpected: .+\\nfix: .+\\ndocs: .+\\n$`))
  })

  test('records that are damaged anywhere are told as such, and are no bug of ours', async () => {
    await runAction('writes')
    const journal = join(runDirectory(), 'journal.jsonl')
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n')
    const places = lines.flatMap((line, index) =>
      pointersOf(JSON.parse(line)).map((pointer) => [index, pointer] as const),
    )
    const junk = fc.oneof(
      fc.constantFrom(null, 0, -1, 'x', '', true),
      fc.constant([]),
      fc.constant({}),
      fc.constant([null]),
    )
    const damage = fc.record({ place: fc.constantFrom(...places), value: fc.option(junk, { nil: undefined }) })
    await fc.assert(
      fc.asyncProperty(damage, async ({ place: [index, pointer], value }) => {
        const damaged = lines.with(index, JSON.stringify(replaceAt(JSON.parse(lines[index] ?? ''), pointer, value)))
        writeFileSync(journal, `${damaged.join('\n')}\n`)

        const { code, stderr } = await box.run(['resume', runId()])

        expect(Object.values(EXIT)).toContain(code)
        expect(code, stderr).not.toBe(EXIT.internal)
      }),
      { numRuns: 40 },
    )
  }, 30_000)
})

/** The ways to all values inside a value. */
function pointersOf(value: unknown, way: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [[...way, name], ...pointersOf(inner, [...way, name])])
}

/** The value with another one somewhere inside; undefined takes it away. */
function replaceAt(value: unknown, [name = '', ...rest]: readonly string[], by: unknown): unknown {
  if (Array.isArray(value))
    return value.with(Number(name), rest.length === 0 ? by : replaceAt(value[Number(name)], rest, by))
  const fields = value as Readonly<Record<string, unknown>> // it has such a field
  return { ...fields, [name]: rest.length === 0 ? by : replaceAt(fields[name], rest, by) }
}
