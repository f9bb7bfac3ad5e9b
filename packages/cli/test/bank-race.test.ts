import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RaceSummary } from '../src/race/race-report.js'
import { Sandbox } from './fake-io.js'

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
})
