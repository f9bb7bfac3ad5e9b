import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Said, Sandbox } from './fake-io.js'

const SMALL = ['bench', 'worlds', '--harness', 'react', '--worlds', 'quotes', '--rngs', '2', '--model', 'sim-mid']

const box = new Sandbox()
let said: Said

beforeAll(async () => {
  said = await box.run([...SMALL, '--out', 'out'])
}, 120_000)
afterAll(() => box.remove())

const resultsIn = (directory: string): string => readFileSync(join(box.root, directory, 'results.jsonl'), 'utf8')

describe('bench worlds', () => {
  test('prints a table, and that the model was simulated; of one harness it does not say that it is the best', () => {
    expect(said).toMatchObject({ code: 0, stderr: expect.stringMatching(/^model: sim-mid \(simulated/) })
    expect(said.stdout).toMatch(/^world +harness +reward .*\nquotes:small +react +1\.00 ±0\.00 [^*]* answered 2\n/)
    expect(said.stdout).not.toMatch(/best|star/)
    expect(said.stdout).toContain('On the simulated model: nothing follows for language models.')
  })

  test('of two harnesses says who is good where', async () => {
    const [, , , , ...rest] = SMALL
    const words = ['bench', 'worlds', '--harness', 'react,flash-searcher', ...rest, '--out', 'pair']
    const { code, stdout } = await box.run(words)

    expect(code).toBe(0)
    expect(stdout).toMatch(/A star: the best of the world.*\nquotes:small: best (react|flash-searcher); /)
  })

  test('leaves its settings and its results, and no workspace, claim or run', () => {
    expect(readdirSync(join(box.root, 'out')).sort()).toEqual(['bench.json', 'results.jsonl'])
    expect(existsSync(join(box.home, 'runs'))).toBe(false)
  })

  test('off a terminal says the model alone, and nothing of its progress', () => {
    expect(said.stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test('on a terminal tells the runs that are done of all, tokens, cost and time', async () => {
    const { stderr } = await box.run([...SMALL, '--out', 'terminal'], { columns: 120 })

    expect(stderr).toMatch(/0 of 2 runs, 0 tokens, \$0\.0000 simulated, \d+\.\d s/)
    expect(stderr).toMatch(/2 of 2 runs, [\d,]{5,} tokens, \$0\.\d{4} simulated, \d+\.\d s/)
    expect((await box.run([...SMALL, '--out', 'terminal', '--quiet'], { columns: 120 })).stderr).not.toContain('2 runs')
  })

  test('--json prints one object with the same', async () => {
    const { code, stdout } = await box.run([...SMALL, '--out', 'out', '--json'])

    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'done',
      model: 'sim-mid',
      simulated: true,
      runs: { done: 2, total: 2 },
      results: join(box.root, 'out', 'results.jsonl'),
      cells: [{ harness: 'react', world: 'quotes:small', runs: 2, masked: 0, reward: 1, ends: { answered: 2 } }],
      verdicts: [],
    })
  })

  test('that is interrupted keeps what is done, and the same command goes on', async () => {
    const interrupted = await box.run([...SMALL, '--out', 'stopped', '--concurrency', '1', '--json'], {
      columns: 120,
      onError: (text, send) => (text.includes('1 of 2 runs') ? send('SIGINT') : undefined),
    })

    expect(interrupted.code).toBe(130)
    expect(interrupted.stderr).toContain(
      'SIGINT: 1 of 2 runs are done; the same command goes on with the others, and so does "bench resume"',
    )
    expect(JSON.parse(interrupted.stdout)).toMatchObject({ status: 'aborted', runs: { done: 1, total: 2 } })
    expect(await box.run([...SMALL, '--out', 'stopped', '--concurrency', '8'])).toMatchObject({ code: 0 })
    expect(resultsIn('stopped')).toBe(resultsIn('out'))
  })

  test('that was interrupted is gone on with by its directory alone, from another one', async () => {
    copyFileSync(new URL('../../seeds/react/manifest.json', import.meta.url), join(box.root, 'react.json'))
    const interrupted = await box.run([...SMALL, '--harness', 'react.json', '--limit', 'steps=20', '--out', 'half'], {
      columns: 120,
      onError: (text, send) => (text.includes('1 of 2 runs') ? send('SIGTERM') : undefined),
    })
    const resumed = await box.run(['bench', 'resume', '../half', '--json'], { cwd: join(box.root, 'stopped') })

    expect(interrupted.code).toBe(143)
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'done', runs: { done: 2, total: 2 } })
    expect(JSON.parse(readFileSync(join(box.root, 'half', 'bench.json'), 'utf8'))).toMatchObject({
      limits: { steps: 20 },
      profilesVersion: expect.any(String),
      again: {
        harness: join(box.root, 'react.json'),
        worlds: 'quotes',
        rngs: '2',
        model: 'sim-mid',
        limit: 'steps=20',
      },
    })
  })

  test('takes manifest files beside seeds, and holds every run to --limit', async () => {
    copyFileSync(new URL('../../seeds/react/manifest.json', import.meta.url), join(box.root, 'mine.json'))
    const { code, stdout } = await box.run([
      ...SMALL,
      '--harness',
      'react,mine.json',
      '--limit',
      'steps=1',
      '--out',
      'two',
    ])

    expect(code).toBe(0)
    expect(stdout).toMatch(/quotes:small +react +0\.00 .* steps 2\nquotes:small +mine +0\.00 .* steps 2\n/)
  })
})

describe('bench compare', () => {
  beforeAll(async () => {
    await box.run([...SMALL, '--limit', 'steps=2', '--out', 'short'])
  }, 120_000)

  test('prints how the second bench differs from the first on the same tasks', async () => {
    const { code, stdout } = await box.run(['bench', 'compare', 'short', 'out'])

    expect(code).toBe(0)
    expect(stdout).toMatch(/^world +harness +reward +USD +time +difference of the rewards\n/)
    expect(stdout).toMatch(/\nquotes:small +react +0\.00 → 1\.00 .* 1\.000 \[.*\] \(agresti-min 95 %, n = 2\)\n/)
    expect(stdout).toContain('On the simulated model: nothing follows for language models.')
  })

  test('says no information where all is alike, and --json gives one object', async () => {
    expect((await box.run(['bench', 'compare', 'out', 'out'])).stdout).toContain('no information (all 2 alike)')
    const { stdout } = await box.run(['bench', 'compare', 'short', 'out', '--json'])

    expect(JSON.parse(stdout)).toMatchObject({
      models: ['sim-mid', 'sim-mid'],
      simulated: true,
      differences: [
        { world: 'quotes:small', harnesses: ['react', 'react'], pairs: 2, reward: { first: 0, second: 1 } },
      ],
    })
  })

  test('refuses benches of other versions, and those that share no task', async () => {
    const settings = JSON.parse(readFileSync(join(box.root, 'out', 'bench.json'), 'utf8'))
    mkdirSync(join(box.root, 'old'))
    copyFileSync(join(box.root, 'out', 'results.jsonl'), join(box.root, 'old', 'results.jsonl'))
    writeFileSync(join(box.root, 'old', 'bench.json'), JSON.stringify({ ...settings, worldsVersion: '0' }))
    mkdirSync(join(box.root, 'empty'))
    copyFileSync(join(box.root, 'out', 'bench.json'), join(box.root, 'empty', 'bench.json'))

    expect((await box.run(['bench', 'compare', 'old', 'out'])).stderr).toContain('worldsVersion is 0 and 1.')
    expect(await box.run(['bench', 'compare', 'out', 'empty'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The first has react on quotes:small; the second has nothing.'),
    })
  })
})

describe('bench refuses', () => {
  test.each([
    ['no suite', ['bench'], 2, 'E_CLI_USAGE'],
    ['a suite that is not there', ['bench', 'gsm8k', '--out', 'x'], 2, 'E_CLI_USAGE'],
    ['no directory', ['bench', 'worlds'], 2, 'E_CLI_USAGE'],
    ['an unknown harness', [...SMALL, '--out', 'x', '--harness', 'raect'], 2, 'E_CLI_OPTION'],
    ['a harness twice', [...SMALL, '--out', 'x', '--harness', 'react,react'], 2, 'E_BENCH_OPTION'],
    ['an unknown world', [...SMALL, '--out', 'x', '--worlds', 'qoutes'], 2, 'E_CLI_OPTION'],
    ['an unknown model', [...SMALL, '--out', 'x', '--model', 'sim-mdi'], 3, 'E_CLI_MODEL'],
    ['to compare one bench', ['bench', 'compare', 'out'], 2, 'E_CLI_USAGE'],
    ['to compare with what is no bench', ['bench', 'compare', 'out', 'nowhere'], 3, 'E_BENCH_DIRECTORY'],
    ['to resume nothing', ['bench', 'resume'], 2, 'E_CLI_USAGE'],
    ['to resume where no bench is', ['bench', 'resume', 'nowhere'], 3, 'E_BENCH_DIRECTORY'],
    ['to resume as something else', ['bench', 'resume', 'out', '--rngs', '3'], 2, 'E_CLI_USAGE'],
    ['an unknown size', [...SMALL, '--out', 'x', '--worlds', 'quotes:huge'], 2, 'E_CLI_OPTION'],
    ['no count', [...SMALL, '--out', 'x', '--rngs', 'ten'], 2, 'E_CLI_OPTION'],
    ['a directory of another bench', [...SMALL, '--out', 'out', '--rngs', '3'], 3, 'E_BENCH_DIRECTORY'],
  ] as const)('%s', async (_what, argv, code, error) => {
    const refused = await box.run(argv)

    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(`error[${error}]`) })
    expect(refused.stderr).toMatch(/^fix: ./m)
  })

  test.each([
    ['harness', 'raect', 'nearest: react', '--harness react'],
    ['worlds', 'qoutes', 'nearest: quotes', '--worlds quotes'],
    ['model', 'sim-mdi', 'nearest: sim-mid', '--model sim-mid'],
  ])('an unknown name of --%s with the nearest one', async (option, name, nearest, fix) => {
    const { stderr } = await box.run([...SMALL, '--out', 'x', `--${option}`, name])

    expect(stderr).toMatch(new RegExp(`^where: --${option}$`, 'm'))
    expect(stderr).toContain(nearest)
    expect(stderr).toMatch(new RegExp(`^fix: .*${fix}\\b`, 'm'))
  })

  test('a directory of another bench with what differs', async () => {
    const { stderr } = await box.run([...SMALL, '--out', 'out', '--rngs', '3'])

    expect(stderr).toContain('it differs in rngs (there 2, here 3).')
  })

  test('a model with a price, where nothing says what a run may cost', async () => {
    const config = {
      models: { 'openai:m': { price: { input: 1, output: 2, source: 'https://example.com', date: '2026-01-31' } } },
    }
    writeFileSync(join(box.root, 'priced.json'), JSON.stringify(config))
    const argv = [...SMALL, '--out', 'x', '--model', 'openai:m', '--config', 'priced.json']
    const refused = await box.run(argv, { env: { OPENAI_API_KEY: 'sk-test-0123456789' } })

    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('These are 2 runs on a model with a price'),
    })
  })
})
