import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decideRace, openBank, type RaceRun } from '@harnesswright/plugin-bank'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'

let sandbox: Sandbox

beforeAll(() => {
  sandbox = new Sandbox()
})
afterAll(() => sandbox.remove())

/** The row of a harness in `bank ls --json`. */
interface Row {
  readonly harnessId: string
  readonly name: string
  readonly operator: string
  readonly status: string
  readonly runs: number
  readonly reward: number | null
  readonly championOf: readonly string[]
}

async function rows(...more: readonly string[]): Promise<readonly Row[]> {
  const { code, stdout } = await sandbox.run(['bank', 'ls', '--json', ...more])
  expect(code).toBe(0)
  return (JSON.parse(stdout) as { readonly harnesses: readonly Row[] }).harnesses
}

const CELL = { clusterId: 'tasks-1', backbone: 'sim-mid@1', priceTable: '2026-11', protocol: 1 }

/** Fills a bank: react raced against resum, and won. */
async function fill(directory: string): Promise<{ readonly react: string; readonly resum: string }> {
  const listed = await rows('--bank', directory)
  const idOf = (name: string): string => listed.find((row) => row.name === name)?.harnessId ?? ''
  const [react, resum] = [idOf('react'), idOf('resum')]
  const bank = await openBank({ directory, index: 'sqlite' })
  await bank.openCell(CELL, { championId: resum })
  const run = (reward: number, usd: number): RaceRun => ({ reward, usd, ms: null })
  const tasks = Array.from({ length: 20 }, (_, index) => {
    const champion = run(index < 12 ? 1 : 0, 0.02)
    return { taskId: `t${index}`, challenger: run(1, 0.01 + index * 1e-5), champion, anchor: champion }
  })
  await bank.addEvaluations(
    tasks.flatMap(({ taskId, challenger, champion }) =>
      [
        { id: `r-${taskId}`, harnessId: react, ...challenger },
        { id: `s-${taskId}`, harnessId: resum, ...champion },
      ].map((one) => ({
        ...CELL,
        taskId,
        seed: 1,
        budget: null,
        rewardKind: 'hard' as const,
        masked: false,
        failureKind: null,
        inputTokens: 10,
        cachedTokens: 0,
        outputTokens: 1,
        steps: 1,
        repairs: 0,
        traceRef: null,
        ...one,
      })),
    ),
  )
  const decision = decideRace({ n: 20, tasks })
  await bank.decide([{ cell: CELL, decision, challengerId: react, championId: resum, anchorId: resum }])
  await bank.close()
  return { react, resum }
}

describe('bank', () => {
  test('that a stream began has the seeds as they are installed, and what was composed under a name of its own', async () => {
    const stream = [
      'stream',
      '--worlds',
      'quotes',
      '--rngs',
      '2',
      '--orders',
      '1',
      '--harness',
      'react',
      '--model',
      'sim-mid',
    ]
    const { code } = await sandbox.run([...stream, '--out', 'streamed', '--bank', 'stream-bank'])
    const harnesses = await rows('--bank', 'stream-bank')
    const seeds = harnesses.filter(({ operator }) => operator === 'seed')

    expect(code).toBe(0)
    expect(seeds.map(({ status }) => status)).toEqual(seeds.map(() => 'confirmed'))
    expect(seeds).toHaveLength(13)
    expect(new Set(harnesses.map(({ name }) => name)).size).toBe(harnesses.length)
  })

  test('of a new home has the thirteen seeds, in the home', async () => {
    const listed = await rows()
    expect(listed).toHaveLength(13)
    expect(listed.every(({ operator, runs, reward }) => operator === 'seed' && runs === 0 && reward === null)).toBe(
      true,
    )
    expect(existsSync(join(sandbox.home, 'bank/log.jsonl'))).toBe(true)
    expect(await rows()).toEqual(listed)
    const { stdout } = await sandbox.run(['bank', 'ls'])
    expect(stdout).toContain('13 harnesses, 0 evaluations, 0 decisions, 0 clusters')
  })

  test('says what a harness came to, and why it was promoted', async () => {
    const directory = join(sandbox.root, 'filled')
    const { react } = await fill(directory)
    const [first] = await rows('--bank', directory)
    expect(first).toMatchObject({ name: 'react', runs: 20, reward: 1, championOf: ['tasks-1 with sim-mid@1'] })
    const shown = await sandbox.run(['bank', 'show', 'resum', '--bank', directory])
    expect(shown.stdout).toContain('anchor of tasks-1 with sim-mid@1')
    expect(shown.stdout).toMatch(
      /tasks-1 with sim-mid@1 {2}20 {4}0 {7}\$0\.0200 {2}- {5}0\.600 \[0\.365, 0\.835\] \(t 95 %, n = 20\)/,
    )
    const why = await sandbox.run(['bank', 'why', react.slice('sha256:'.length, 20), '--bank', directory])
    expect(why.stdout).toContain('promote  (conservative rule, version 1)')
    expect(why.stdout).toContain('reward 1.000 against 0.600 of the champion and 0.600 of the anchor on 20 pairs')
    const never = await sandbox.run(['bank', 'why', 'resum', '--bank', directory])
    expect(never.stdout).toContain('resum was never a challenger')
  })

  test('is taken elsewhere by export and import, made anew, and pruned', async () => {
    const directory = join(sandbox.root, 'from')
    await fill(directory)
    const file = join(sandbox.root, 'bank.jsonl')
    const exported = await sandbox.run(['bank', 'export', '--bank', directory, '--out', file])
    expect(exported).toMatchObject({ code: 0, stdout: `57 entries: ${file}\n` })
    expect((await sandbox.run(['bank', 'export', '--bank', directory])).stdout).toBe(readFileSync(file, 'utf8'))
    const other = join(sandbox.root, 'to')
    expect((await sandbox.run(['bank', 'import', file, '--bank', other])).stdout).toBe(
      '44 entries added, 13 were there already\n',
    )
    expect(await rows('--bank', other)).toEqual(await rows('--bank', directory))
    expect((await sandbox.run(['bank', 'rebuild', '--bank', other])).stdout).toContain('13 harnesses, 40 evaluations')
    const pruned = await sandbox.run(['bank', 'prune', '--bank', other])
    expect(pruned.stdout).toContain('0 entries dropped, 57 kept')
    expect(pruned.stdout).toContain('The log as it was: ')
  })

  test('tells of lines that were cut short, and goes on', async () => {
    const directory = join(sandbox.root, 'torn')
    await rows('--bank', directory)
    appendFileSync(join(directory, 'log.jsonl'), '\n{"v":1,"ki\n')
    const { code, stderr } = await sandbox.run(['bank', 'ls', '--bank', directory])
    expect(code).toBe(0)
    expect(stderr).toMatch(/warning: 1 line of the log was set aside, the first at byte \d+: no JSON/)
  })

  test.each([
    ['nothing to do', ['bank'], 2, '"bank" needs to know what to do.'],
    ['an unknown action', ['bank', 'list'], 2, '"bank" does not know "list".'],
    ['no harness', ['bank', 'show'], 2, '"bank show" takes one <harness> after it.'],
    ['a harness that is not there', ['bank', 'show', 'nobody'], 3, 'error[E_BANK_UNKNOWN]'],
    ['a number of days that is none', ['bank', 'prune', '--older-than', 'x'], 2, 'is no number of days'],
    ['an export as one object', ['bank', 'export', '--json'], 2, 'An export is lines of JSON'],
    ['a file that is not there', ['bank', 'import', 'nowhere.jsonl'], 3, 'error[E_BANK_IMPORT]'],
  ])('with %s is an error that says what to do', async (_what, argv, code, text) => {
    const said = await sandbox.run(argv)
    expect(said.code).toBe(code)
    expect(said.stderr).toContain(text)
  })

  test('never writes over a file', async () => {
    const file = join(sandbox.root, 'mine.txt')
    writeFileSync(file, 'mine')
    const { code, stderr } = await sandbox.run(['bank', 'export', '--out', file])
    expect(code).toBe(3)
    expect(stderr).toContain('The file is there already.')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})
