import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

const tasks = ['quotes', 'lookup-chain', 'wide-search'].map((world) => JSON.stringify({ world, rng: 1 }))

function command(...more: readonly string[]): readonly string[] {
  writeFileSync(join(box.root, 'tasks.jsonl'), `${tasks.join('\n')}\n`)
  return ['stream', 'tasks.jsonl', '--harness', 'react,flash-searcher', '--orders', '2', '--model', 'sim-mid', ...more]
}

const file = (...path: readonly string[]): string => readFileSync(join(box.root, ...path), 'utf8')

/** Ids of the entries of a bank, by their kinds. */
function idsIn(log: string): Readonly<Record<string, readonly string[]>> {
  const entries = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, string>]))
  const ids = (kind: string): readonly string[] =>
    entries.flatMap((entry) => (entry['kind'] === kind ? [entry['id'] as string] : [])).sort()
  return { harness: ids('harness'), evaluation: ids('evaluation') }
}

describe('harnesswright stream', () => {
  test('does real tasks beside a static control, and leaves table, runs and plot', async () => {
    const { code, stdout, stderr } = await box.run(command('--out', 'out'))

    expect(code).toBe(0)
    expect(stderr).toContain('sim-mid (simulated: no language model)')
    expect(stdout).toMatch(/^arm +reward +tokens +USD +time\nstreaming +[01]\.\d{3} /)
    expect(stdout).toContain('On the simulated model: nothing follows for language models.')
    expect(file('out', 'stream.svg')).toMatch(/^<svg /)
    expect(file('out', 'runs.jsonl').split('\n').length).toBeGreaterThan(3)
  }, 120_000) // every module of the command line is loaded here

  test('that was killed goes on with the runs that were whole, to the same end', async () => {
    const whole = await box.run(command('--out', 'whole', '--json'))
    const runs = file('whole', 'runs.jsonl')
    cpSync(join(box.root, 'whole'), join(box.root, 'cut'), { recursive: true })
    writeFileSync(join(box.root, 'cut', 'runs.jsonl'), runs.slice(0, Math.floor(runs.length * 0.6)))
    const resumed = await box.run(command('--out', 'cut', '--json'))
    const shown = (text: string): unknown => ({ ...(JSON.parse(text) as object), runs: '', plot: '' })

    expect(resumed.code).toBe(0)
    expect(shown(resumed.stdout)).toEqual(shown(whole.stdout))
    expect(file('cut', 'runs.jsonl').split('\n').sort()).toEqual(runs.split('\n').sort())
  })

  test('refuses a directory in which another stream has begun', async () => {
    await box.run(command('--out', 'out', '--budget', 'tokens=1'))
    const { code, stderr } = await box.run(command('--out', 'out', '--rng', '9'))

    expect(code).toBe(3)
    expect(stderr).toMatch(/^error\[E_CLI_RESUME\] .*differs in rng/m)
  })

  test('ends with 5 where its budget is spent, and says what was done until then', async () => {
    const { code, stdout } = await box.run(command('--out', 'out', '--budget', 'tokens=1', '--json'))

    expect(code).toBe(5)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'budget', budget: { tokens: 1 } })
  })

  test('adds to a bank what it learned, and begins with what the bank knows of other tasks', async () => {
    const bank = ['--bank', 'bank', '--json']
    const first = await box.run(command('--out', 'one', ...bank))
    const other = tasks.map((line) => line.replace(/\d+\}/, (rng) => `5${rng}`))
    const log = file('bank', 'log.jsonl')
    const cold = JSON.parse(file('one', 'evidence.json')) as readonly unknown[]
    command()
    writeFileSync(join(box.root, 'others.jsonl'), `${other.join('\n')}\n`)
    const second = await box.run(['stream', 'others.jsonl', ...command('--out', 'two', ...bank).slice(2)])
    const evidence = JSON.parse(file('two', 'evidence.json')) as readonly { readonly entry: string }[]
    const runs = file('one', 'runs.jsonl').trim().split('\n')

    expect([first.code, second.code]).toEqual([0, 0])
    expect(cold).toEqual([])
    expect(log.match(/"kind":"evaluation"/g)).toHaveLength(runs.length)
    expect(evidence).toHaveLength(runs.length)
    expect(evidence.some(({ entry }) => entry === 'composed')).toBe(true)
  })

  test('says which of its files is not as it was written', async () => {
    const words = command('--out', 'out', '--bank', 'bank')
    await box.run(words)
    for (const name of ['composed.json', 'evidence.json']) {
      const before = file('out', name)
      writeFileSync(join(box.root, 'out', name), before.slice(0, 1))
      const { code, stderr } = await box.run(words)
      writeFileSync(join(box.root, 'out', name), before)

      expect([code, stderr]).toEqual([3, expect.stringMatching(new RegExp(`E_CLI_RESUME[^]*${name}`))])
    }
    expect(await box.run(words)).toMatchObject({ code: 0 })
  })

  test('adds nothing to its bank twice where it goes on, and takes none of its own tasks as evidence', async () => {
    await box.run(command('--out', 'out', '--bank', 'bank'))
    const before = file('bank', 'log.jsonl')
    await box.run(command('--out', 'out', '--bank', 'bank'))
    const after = file('bank', 'log.jsonl')
    await box.run(command('--out', 'again', '--bank', 'bank'))

    expect(after).toBe(before)
    expect(file('bank', 'log.jsonl')).toBe(before)
    expect(JSON.parse(file('again', 'evidence.json'))).toEqual([])
  })

  test('adds what a bank has missed where it goes on, with the harnesses that were composed by an earlier process', async () => {
    await box.run(command('--out', 'out', '--bank', 'bank'))
    const kept = idsIn(file('bank', 'log.jsonl'))
    rmSync(join(box.root, 'bank'), { recursive: true })
    await box.run(command('--out', 'out', '--bank', 'bank'))
    const now = idsIn(file('bank', 'log.jsonl'))

    expect(kept['harness']?.length).toBeGreaterThan(2) // those of --harness, and what was composed
    expect(now).toEqual(kept)
  })

  test('takes the word of a person', async () => {
    const { code, stdout } = await box.run(command('--out', 'out', '--verifier', 'person', '--json'), {
      columns: 80,
      reply: '0.25',
    })

    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ verifier: 'person', streaming: { reward: 0.25 } })
  })

  test.each([
    [['stream', '--out', 'x'], 'E_CLI_USAGE'],
    [['stream', 'tasks.jsonl', '--worlds', 'all', '--out', 'x'], 'E_CLI_USAGE'],
    [['stream', '--worlds', 'all'], 'E_CLI_USAGE'],
    [['stream', '--worlds', 'all', '--out', 'x', '--verifier', 'judge'], 'E_CLI_OPTION'],
    [['stream', '--worlds', 'all', '--out', 'x', '--budget', 'euros=3'], 'E_CLI_OPTION'],
    [['stream', '--worlds', 'all', '--out', 'x', '--harness', 'react,react'], 'E_CLI_OPTION'],
  ] as const)('%j is refused with %s', async (argv, error) => {
    const said = await box.run(argv)

    expect(said).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`error[${error}]`) })
  })
})

describe('harnesswright evolve', () => {
  const evolve = [
    'evolve',
    '--worlds',
    'quotes',
    '--rngs',
    '2',
    '--test-rngs',
    '2',
    '--proposals',
    '2',
    '--samples',
    '2',
  ]

  test('puts seen and unseen side by side, with its controls, and leaves the manifest', async () => {
    const { code, stdout } = await box.run([
      ...evolve,
      '--harness',
      'react,resum',
      '--out',
      'out',
      '--model',
      'sim-mid',
    ])

    expect(code).toBe(0)
    expect(stdout).toMatch(/^arm +seen +unseen +USD +difference on unseen +verdict\nparent \(react\) /)
    expect(stdout).toContain('control: random')
    expect(JSON.parse(file('out', 'manifest.json'))).toMatchObject({ protocol: 1 })
  })

  test('adds to a bank what it kept, each with what it was made from and what was predicted of it', async () => {
    const { code, stdout } = await box.run([
      ...evolve.with(evolve.indexOf('--proposals') + 1, '8'),
      ...['--harness', 'plan-and-execute', '--parent', 'plan-and-execute', '--model', 'sim-mid'],
      ...['--out', 'out', '--bank', 'bank', '--json'],
    ])
    const { remembered, judged } = JSON.parse(stdout) as {
      readonly remembered: readonly string[]
      readonly judged: readonly { readonly verdict: string; readonly prediction: object }[]
    }
    const kept = judged.filter(({ verdict }) => verdict === 'kept')
    const harnesses = file('bank', 'log.jsonl')
      .split('\n')
      .filter((line) => line.includes('"createdBy":"evolve"'))
      .map((line) => JSON.parse(line) as { readonly id: string; readonly parentIds: readonly string[] })

    expect(code).toBe(0)
    expect(kept.length).toBeGreaterThan(0)
    expect(harnesses).toMatchObject(kept.map(({ prediction }) => ({ predicted: prediction, model: 'sim-mid' })))
    expect(harnesses.map(({ id }) => id)).toEqual(remembered)
    expect(harnesses.slice(1).map(({ parentIds }) => parentIds)).toEqual(remembered.slice(0, -1).map((id) => [id]))
  })

  test('runs nothing where its bank cannot be opened', async () => {
    mkdirSync(join(box.root, 'newer-bank'))
    writeFileSync(join(box.root, 'newer-bank', 'log.jsonl'), '{"v":99,"kind":"bank","id":"x"}\n')
    const { code, stderr } = await box.run([...evolve, '--harness', 'react', '--out', 'out', '--bank', 'newer-bank'])

    expect([code, stderr]).toEqual([3, expect.stringContaining('error[E_BANK_NEWER]')])
    expect(existsSync(join(box.root, 'out'))).toBe(false)
  })

  test('trains on no task that it measures on', async () => {
    await box.run([...evolve, '--harness', 'react', '--out', 'out', '--json'])
    const { train, test: unseen } = JSON.parse(file('out', 'settings.json')) as Record<string, readonly string[]>

    expect(train).toEqual(['quotes:small#1', 'quotes:small#2'])
    expect(unseen?.filter((id) => train?.includes(id))).toEqual([])
  })

  test('is refused for files that share a task, and without tasks', async () => {
    writeFileSync(join(box.root, 'tasks.jsonl'), `${tasks[0]}\n`)
    const shared = await box.run([
      'evolve',
      '--train-tasks',
      'tasks.jsonl',
      '--test-tasks',
      'tasks.jsonl',
      '--out',
      'x',
    ])

    expect(shared).toMatchObject({ code: 3, stderr: expect.stringContaining('error[E_EVOLVE_SPLIT]') })
    expect(await box.run(['evolve', '--out', 'x'])).toMatchObject({ code: 2 })
  })
})
