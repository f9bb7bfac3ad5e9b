import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateTask } from '@harnesswright/plugin-worlds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RaceSummary } from '../src/race/race-report.js'
import { Sandbox } from './fake-io.js'
import { writeFiles } from './fixture-project.js'

let box: Sandbox
beforeAll(() => {
  box = new Sandbox()
})
afterAll(() => box.remove())

const SLOW_MS = 120_000 // real tasks, on a machine that may be busy
const RACE = ['--worlds', 'quotes', '--pairs', '6', '--bank', 'bank', '--model', 'sim-mid'] as const

const race = async (challengers: string, ...more: readonly string[]): ReturnType<Sandbox['run']> =>
  await box.run(['bank', 'race', challengers, ...more])

const summaryOf = (text: string): RaceSummary => JSON.parse(text) as RaceSummary
const file = (...path: readonly string[]): string => readFileSync(join(box.root, ...path), 'utf8')
const linesOf = (kind: string): readonly string[] =>
  file('bank', 'log.jsonl')
    .split('\n')
    .filter((line) => line.includes(`"kind":"${kind}"`))

describe('bank race', () => {
  test(
    'opens a cell where nobody stands, lets real runs decide, and the bank says why',
    async () => {
      const { code, stdout, stderr } = await race('react,plan-and-execute', '--out', 'one', ...RACE, '--json')
      const { races, spent, names, simulated } = summaryOf(stdout)
      const [first] = races

      expect([code, stderr]).toEqual([0, expect.stringContaining('sim-mid')])
      expect(simulated).toBe(true)
      expect(races).toHaveLength(1)
      expect(first?.opened?.measured).toHaveLength(2)
      expect(first?.decided.map(({ challengerId }) => names[challengerId]).toSorted()).toEqual([
        'plan-and-execute',
        'react',
      ])
      expect(linesOf('evaluation')).toHaveLength(spent.runs)
      expect(linesOf('decision')).toHaveLength(2)
      const why = await box.run(['bank', 'why', 'react', '--bank', 'bank'])
      expect(why.stdout).toContain(first?.decided.find((one) => names[one.challengerId] === 'react')?.decision.reason)
      const { championId = '' } = first ?? {}
      const ofFirst = await box.run(['bank', 'why', championId, '--bank', 'bank'])
      expect(ofFirst.stdout).toMatch(/Z {2}first (champion|anchor) of tasks-.*: nobody stood there before$/m)
    },
    SLOW_MS,
  )

  test(
    'that is over tells the same again, and makes no run and no decision',
    async () => {
      const before = [linesOf('evaluation'), linesOf('decision')]
      const { stdout } = await race('react,plan-and-execute', '--out', 'one', ...RACE, '--json')

      expect(`${stdout.trim()}\n`).toBe(`${JSON.stringify(JSON.parse(file('one', 'summary.json')))}\n`)
      expect([linesOf('evaluation'), linesOf('decision')]).toEqual(before)
    },
    SLOW_MS,
  )

  test(
    'that a budget ended goes on with the same command, to the same as if it had not ended',
    async () => {
      const names = ['whole', 'cut'] as const
      const of = (name: string): readonly string[] => [
        '--out',
        name,
        '--worlds',
        'quotes',
        '--pairs',
        '6',
        '--bank',
        `${name}-bank`,
        '--model',
        'sim-mid',
        '--json',
      ]
      const [whole, cut] = [
        await race('react', ...of(names[0])),
        await race('react', ...of(names[1]), '--budget', 'tokens=90000'),
      ]
      expect([whole.code, cut.code]).toEqual([0, 5])
      expect(JSON.parse(cut.stdout)).toMatchObject({ status: 'budget', reason: 'the budget is spent' })
      const resumed = await race('react', ...of(names[1]))

      expect(resumed.code).toBe(0)
      expect(summaryOf(resumed.stdout)).toEqual(summaryOf(whole.stdout))
    },
    SLOW_MS,
  )

  test(
    'takes a manifest file and tasks of a file, and says where there are too few',
    async () => {
      const { stdout: shown } = await box.run(['bank', 'show', 'react', '--bank', 'bank', '--json'])
      const { manifest } = (JSON.parse(shown) as { readonly harness: { readonly manifest: object } }).harness
      writeFileSync(join(box.root, 'mine.json'), JSON.stringify({ ...manifest, name: 'mine' }))
      writeFileSync(join(box.root, 'few.jsonl'), '{"world":"quotes","rng":1}\n{"world":"quotes","rng":2}\n')
      const { code, stdout } = await race(
        'mine.json',
        'few.jsonl',
        '--out',
        'two',
        '--bank',
        'bank',
        '--model',
        'sim-mid',
      )

      expect(code).toBe(0)
      expect(stdout).toContain('no race: 2 tasks of this kind, and the race is decided on 20')
    },
    SLOW_MS,
  )

  test('adds no manifest file to the bank that may not race', async () => {
    const authority = { name: '@acme/shell', protocol: 1, authority: 'process' }
    const options = { type: 'object', properties: {}, additionalProperties: false }
    const memory = { slot: 'memory', summary: 'Odd.', options, prompts: {}, requires: [], provides: [] }
    const [react, root] = ['@harnesswright/seed-react', 'node_modules/@acme/shell']
    writeFiles(box.root, {
      'package.json': JSON.stringify({ name: 'project', dependencies: { '@acme/shell': '1.0.0' } }),
      [`${root}/package.json`]: JSON.stringify({ name: '@acme/shell', version: '1.0.0', exports: './index.js' }),
      [`${root}/index.js`]: 'throw new Error("it was imported")',
      [`${root}/harnesswright.json`]: JSON.stringify({ ...authority, modules: { memory } }),
      'shell.json': JSON.stringify({
        protocol: 1,
        name: 'shell',
        packages: { '@acme/shell': '*', [react]: '*' },
        memory: { use: '@acme/shell#memory' },
        planning: null,
        capability: null,
        action: { use: `${react}#action` },
      }),
    })
    const { code, stderr } = await race('shell.json', '--out', 'shell', ...RACE)
    rmSync(join(box.root, 'package.json'))

    expect([code, stderr]).toEqual([3, expect.stringContaining('error[E_MANIFEST_AUTHORITY]')])
    expect(linesOf('harness').join()).not.toContain('"name":"shell"')
  })

  test('takes a world that is named twice for one', async () => {
    const words = ['react', '--worlds', 'quotes,quotes:small', '--rngs', '2', '--pairs', '3', '--out', 'twice']
    const { code, stdout } = await box.run(['bank', 'race', ...words, '--bank', 'bank', '--model', 'sim-mid'])

    expect([code, stdout]).toEqual([0, expect.stringContaining('no race: 2 tasks of this kind')])
  })

  test.each([
    ['no words', [], 'E_CLI_USAGE', 2],
    ['tasks from two places', ['react', 'few.jsonl', '--worlds', 'quotes', '--out', 'x'], 'E_CLI_USAGE', 2],
    ['no directory', ['react', '--worlds', 'quotes'], 'E_CLI_USAGE', 2],
    ['an unknown harness', ['reakt', '--worlds', 'quotes', '--out', 'x', '--model', 'sim-mid'], 'E_BANK_UNKNOWN', 3],
    ['a harness twice', ['react,react', '--worlds', 'quotes', '--out', 'x', '--model', 'sim-mid'], 'E_CLI_OPTION', 2],
    ['an unknown rule', ['react', '--worlds', 'quotes', '--out', 'x', '--rule', 'bold'], 'E_CLI_OPTION', 2],
  ])('with %s is an error', async (_what, words, errorCode, exit) => {
    const { code, stderr } = await box.run(['bank', 'race', ...words])

    expect(stderr).toContain(`error[${errorCode}]`)
    expect(code).toBe(exit)
  })

  test(
    'does not take a harness whose packages have changed for the one that it was',
    async () => {
      const entry = linesOf('harness').find((line) => line.includes('"name":"react"')) as string
      const other = entry.replace(/"id":"sha256:[0-9a-f]{8}/, '"id":"sha256:00000000').replace('"react"', '"old-react"')
      writeFileSync(join(box.root, 'bank', 'log.jsonl'), `${other}\n`, { flag: 'a' })
      const { code, stderr } = await race('old-react', '--out', 'old', ...RACE)

      expect(code).toBe(2)
      expect(stderr).toContain('was made with other versions of its packages')
    },
    SLOW_MS,
  )

  test(
    'that was killed between its decision and the bank is decided once, whichever of the two was written',
    async () => {
      const words = ['react', '--out', 'killed', '--worlds', 'quotes', '--pairs', '6', '--bank', 'killed-bank']
      const again = async (): Promise<RaceSummary> =>
        summaryOf((await box.run(['bank', 'race', ...words, '--model', 'sim-mid', '--json'])).stdout)
      const whole = await again()
      const log = join(box.root, 'killed-bank', 'log.jsonl')
      const isDecision = (line: string): boolean => line.includes('"kind":"decision"') || /"evidenceId":"/.test(line)
      const decisions = (): readonly string[] => file('killed-bank', 'log.jsonl').split('\n').filter(isDecision)
      const before = decisions()
      const race = JSON.parse(file('killed', 'race.json')) as object
      const told = before.map((line) => JSON.parse(line) as object)
      writeFileSync(join(box.root, 'killed', 'race.json'), JSON.stringify({ ...race, told }))
      await box.run(['bank', 'prune', '--bank', 'killed-bank']) // another log, which is read anew
      const lines = file('killed-bank', 'log.jsonl').split('\n')
      writeFileSync(log, lines.filter((line) => !isDecision(line)).join('\n'))
      await box.run(['bank', 'rebuild', '--bank', 'killed-bank'])

      expect(await again()).toEqual(whole)
      expect(decisions()).toEqual(before)
      expect(await again()).toEqual(whole)
      expect(decisions()).toEqual(before)
    },
    SLOW_MS,
  )

  test(
    'does not tell of one bank what was decided for another',
    async () => {
      const { code, stderr } = await race('react,plan-and-execute', '--out', 'one', ...RACE, '--bank', 'other-bank')

      expect(code).toBe(3)
      expect(stderr).toContain('it differs in bank')
    },
    SLOW_MS,
  )

  test(
    'on an endpoint that fails ends with 4, says with what, and is held another time',
    async () => {
      const nowhere = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'sk-test', OPENAI_MODEL: 'none' }
      const words = [
        'react',
        '--worlds',
        'quotes',
        '--pairs',
        '1',
        '--rngs',
        '1',
        '--out',
        'down',
        '--bank',
        'down-bank',
      ]
      const { code, stdout } = await box.run(['bank', 'race', ...words, '--budget', 'usd=1'], { env: nowhere })

      expect(code).toBe(4)
      expect(stdout).toContain('the endpoint failed runs that are needed: E_MODEL_TRANSPORT')
      expect(JSON.parse(file('down', 'race.json'))).toMatchObject({ done: [] })
    },
    SLOW_MS,
  )

  test(
    'names the champion that cannot be read with what is installed, on lines of its own',
    async () => {
      const hostile = {
        ...(JSON.parse(linesOf('harness')[0] as string) as object),
        id: `sha256:${'0a'.repeat(32)}`,
        name: `gone\u001b[31m\nforged row ${'x'.repeat(10_000)}`,
        manifest: { protocol: 1, name: 'gone', memory: { use: '@gone/package#memory' } },
      }
      const champion = JSON.parse(linesOf('champion').at(-1) as string) as { readonly at: number }
      const lines = [hostile, { ...champion, id: 'of-gone', harnessId: hostile.id, at: champion.at + 1 }]
      const text = lines.map((line) => `\n${JSON.stringify(line)}\n`).join('')
      writeFileSync(join(box.root, 'bank', 'log.jsonl'), text, { flag: 'a' })
      const [raced, listed] = [
        await race('plan-and-execute', '--out', 'gone', ...RACE),
        await box.run(['bank', 'ls', '--bank', 'bank']),
      ]

      expect(raced.code).toBe(3)
      expect(raced.stderr).toContain('The harness "gone forged row xxx')
      expect(raced.stderr).toContain('(0a0a0a0a0a0a) is not valid in a bank with what is installed')
      expect(raced.stderr.length).toBeLessThan(5_000)
      expect(listed.stdout).not.toMatch(/^forged/m)
      expect(Math.max(...listed.stdout.split('\n').map((line) => line.length))).toBeLessThan(300)
    },
    SLOW_MS,
  )

  test(
    'writes no key that a task has in its text',
    async () => {
      const key = 'sk-of-this-host-1234'
      const texts = [2, 3].map((seed) => generateTask('quotes', { rng: seed }).task.instruction)
      const lines = texts.map((text) => ({ instruction: `${key}\n${text}`, expected: 'x' }))
      writeFileSync(join(box.root, 'keyed.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
      const words = ['react', 'keyed.jsonl', '--pairs', '2', '--out', 'keyed', '--bank', 'keyed-bank']
      const env = { OPENAI_API_KEY: key }
      const { code, stdout } = await box.run(['bank', 'race', ...words, '--model', 'sim-mid'], { env })
      const written = ['race.json', 'summary.json', 'runs.jsonl', 'settings.json'].map((name) => file('keyed', name))

      expect([code, stdout]).toEqual([0, expect.stringContaining('[secret]')])
      expect([...written, file('keyed-bank', 'log.jsonl')].join('')).not.toContain(key)
    },
    SLOW_MS,
  )
})
