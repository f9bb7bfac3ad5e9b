import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HarnessError, type Model } from '@harnesswright/core'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BenchProgress, beganWith, benchWorlds, readResults, summarise } from '../src/index.js'
import { Bench } from './support.js'

const bench = new Bench()
let whole: string

beforeAll(async () => {
  await benchWorlds({ ...bench.options('whole'), concurrency: 1 })
  whole = bench.results('whole')
}, 120_000)
afterAll(() => bench.remove())

/** A directory in which a bench of the usual options has left these results, and a workspace. */
function leftBehind(name: string, results: string): string {
  const directory = join(bench.directory, name)
  mkdirSync(join(directory, '.workspaces', 'react-quotes-small-1', 'files'), { recursive: true })
  copyFileSync(join(bench.directory, 'whole', 'bench.json'), join(directory, 'bench.json'))
  writeFileSync(join(directory, 'results.jsonl'), results)
  return name
}

/** A line of results that would be one of this bench but for the change. */
function lineWith(change: object): string {
  const job = { harness: 'react', world: 'quotes:small', rng: 1, manifestId: 'a', harnessId: 'b', status: 'answered' }
  const said = { reason: null, reward: 1, detail: '', steps: 1, modelCalls: 1 }
  return JSON.stringify({ ...job, ...said, inputTokens: 1, cachedTokens: 1, outputTokens: 1, usd: 1, ms: 1, ...change })
}

describe('the results of a bench', () => {
  test('have a line for each run, in the order of harness, world and seed', () => {
    const rows = readResults(join(bench.directory, 'whole', 'results.jsonl'))

    expect(rows.map(({ harness, world, rng }) => `${harness} ${world} ${rng}`)).toEqual([
      'react quotes:small 1',
      'react quotes:small 2',
      'react lookup-chain:small 1',
      'react lookup-chain:small 2',
      'windowed quotes:small 1',
      'windowed quotes:small 2',
      'windowed lookup-chain:small 1',
      'windowed lookup-chain:small 2',
    ])
    for (const row of rows) {
      expect(row).toMatchObject({ status: 'answered', reason: null, reward: 1 })
      expect(Math.min(row.ms, row.modelCalls, row.steps, Number(row.inputTokens), Number(row.usd))).toBeGreaterThan(0)
    }
  })

  test('are the same to the byte at a concurrency of 8', async () => {
    await benchWorlds({ ...bench.options('at-once'), concurrency: 8 })

    expect(bench.results('at-once')).toBe(whole)
  })

  test('stand beside the settings alone: no workspace outlives the bench', () => {
    expect(bench.names('whole')).toEqual(['bench.json', 'results.jsonl'])
  })
})

describe('a bench that was killed', () => {
  test('goes on from any byte of its results, does nothing again, and ends with the same results', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.integer({ min: 1, max: 8 }), async (bytes, concurrency) => {
        const name = leftBehind(`cut-${count++}`, whole.slice(0, bytes))
        const kept = whole.slice(0, bytes).split('\n').length - 1
        bench.begun = 0
        await benchWorlds({ ...bench.options(name), concurrency })

        expect(bench.begun).toBe(8 - kept)
        expect(bench.results(name)).toBe(whole)
        expect(bench.names(name)).toEqual(['bench.json', 'results.jsonl'])
      }),
      { numRuns: 8 },
    )
  }, 120_000)

  test('goes on from lines in the order in which the runs were over', async () => {
    const name = leftBehind(
      'as-over',
      whole.trimEnd().split('\n').reverse().slice(2).join('\n').concat('\n{"harness":"re'),
    )
    bench.begun = 0
    await benchWorlds(bench.options(name))

    expect(bench.begun).toBe(2)
    expect(bench.results(name)).toBe(whole)
  })

  test('tells of what was done before with the first word of its progress', async () => {
    const told: BenchProgress[] = []
    const name = leftBehind('told', whole)
    await benchWorlds({ ...bench.options(name), onProgress: (progress) => told.push(progress) })

    expect(told).toEqual([{ done: 8, total: 8, tokens: expect.any(Number), usd: expect.any(Number) }])
  })
})

describe('a bench that is ended', () => {
  test('keeps what is done and leaves no workspace', async () => {
    const stop = new AbortController()
    const rows = await benchWorlds({
      ...bench.options('ended'),
      concurrency: 2,
      signal: stop.signal,
      onProgress: ({ done }) => (done === 3 ? stop.abort('enough') : undefined),
    })

    expect(rows.length).toBe(3)
    expect(bench.names('ended')).toEqual(['bench.json', 'results.jsonl'])
    await benchWorlds(bench.options('ended'))
    expect(bench.results('ended')).toBe(whole)
  })

  test('by a harness that cannot be assembled says so before anything runs', async () => {
    const broken = { name: 'broken', manifest: '{"protocol":1}' }
    const options = bench.options('broken')
    bench.begun = 0

    await expect(benchWorlds({ ...options, harnesses: [...options.harnesses, broken] })).rejects.toMatchObject({
      code: expect.stringMatching(/^E_MANIFEST_/),
    })
    expect(bench.begun).toBe(0)
  })
})

describe('a fault of the endpoint', () => {
  /** Fails every request of runs with the seed 2, as often as it is told to. */
  function failing(code: 'E_MODEL_TRANSPORT' | 'E_MODEL_CONTEXT_OVERFLOW'): Model & { isBroken: boolean } {
    const model = createSimModel({ profile: 'sim-mid' })
    const broken = {
      ...model,
      isBroken: true,
      generate: (...[request, options]: Parameters<Model['generate']>) => {
        if (broken.isBroken && request.seed === 2) throw new HarnessError(code, {})
        return model.generate(request, options)
      },
    }
    return broken
  }

  test('is no reward of 0: the run is in no mean, and is done again', async () => {
    const model = failing('E_MODEL_TRANSPORT')
    const rows = await benchWorlds(bench.options('line-broke', model))

    expect(rows.filter(({ reward }) => reward === null).map(({ rng, reason }) => [rng, reason])).toEqual(
      Array(4).fill([2, 'E_MODEL_TRANSPORT']),
    )
    expect(summarise(rows)).toHaveLength(4)
    for (const cell of summarise(rows)) expect(cell).toMatchObject({ runs: 1, masked: 1, reward: 1 })

    model.isBroken = false
    bench.begun = 0
    await benchWorlds(bench.options('line-broke', model))
    expect(bench.begun).toBe(4)
    expect(bench.results('line-broke')).toBe(whole)
  })

  test('is one where a window was exceeded: that is the harness', async () => {
    const rows = await benchWorlds(bench.options('window', failing('E_MODEL_CONTEXT_OVERFLOW')))

    expect(rows.filter(({ rng }) => rng === 2).map(({ reward }) => reward)).toEqual([0, 0, 0, 0])
  })
})

describe('a directory', () => {
  test.each([
    ['another number of tasks', { rngs: 1 }, 'rngs'],
    ['other worlds', { worlds: ['quotes:small'] }, 'worlds'],
    ['another model', { model: { id: 'sim-small', simulated: true } }, 'model'],
    ['other limits', { settings: { limits: { steps: 3 } } }, 'limits'],
  ] as const)('of a bench with %s is refused, and stays as it is', async (_what, change, name) => {
    await expect(benchWorlds({ ...bench.options('whole'), ...change })).rejects.toMatchObject({
      code: 'E_BENCH_DIRECTORY',
      message: expect.stringContaining(name),
    })
    expect(bench.results('whole')).toBe(whole)
  })

  test('tells the options that its bench was begun with, which may be others where one goes on', async () => {
    const begun = { ...bench.options('again'), worlds: ['quotes:small'], again: { harness: 'react', rngs: '2' } }
    const rows = await benchWorlds(begun)

    expect(beganWith(begun.directory)).toEqual({ harness: 'react', rngs: '2' })
    expect(await benchWorlds({ ...begun, again: { harness: 'all' } })).toEqual(rows)
    expect(beganWith(begun.directory)).toEqual({ harness: 'react', rngs: '2' })
  })

  test.each([
    ['without a bench', undefined],
    ['of a bench that does not say it', '{"version":1}'],
    ['of a bench that says it with something else than texts', '{"again":{"rngs":2}}'],
    ['of a bench whose settings are no object', '7'],
  ])('%s tells none', (what, text) => {
    const directory = join(bench.directory, what.replaceAll(' ', '-'))
    mkdirSync(directory)
    if (text !== undefined) writeFileSync(join(directory, 'bench.json'), text)

    expect(() => beganWith(directory)).toThrow(expect.objectContaining({ code: 'E_BENCH_DIRECTORY' }))
  })

  test('with results that nobody knows the settings of is refused', async () => {
    mkdirSync(join(bench.directory, 'foreign'))
    writeFileSync(join(bench.directory, 'foreign', 'results.jsonl'), 'mine\n')

    await expect(benchWorlds(bench.options('foreign'))).rejects.toMatchObject({ code: 'E_BENCH_DIRECTORY' })
    expect(bench.results('foreign')).toBe('mine\n')
  })

  test.each([
    ['no JSON', '{"harness":\n'],
    ['the result of another run', `${lineWith({ rng: 9 })}\n`],
    ['a result with a field of another kind', `${lineWith({ usd: '0.1' })}\n`],
  ])('with a line that is %s is refused, and the line is told', async (what, line) => {
    const name = leftBehind(`bad ${what}`.replaceAll(' ', '-'), `${whole.split('\n')[0]}\n${line}`)

    await expect(benchWorlds(bench.options(name))).rejects.toMatchObject({
      code: 'E_BENCH_RESULTS',
      details: { where: expect.stringMatching(/line 2$/) },
    })
  })
})

test.each([
  ['no task', { rngs: 0 }],
  ['half a run at once', { concurrency: 0.5 }],
  ['no world', { worlds: [] }],
  ['a world twice', { worlds: ['quotes:small', 'quotes:small'] }],
  ['no harness', { harnesses: [] }],
])('%s is refused', async (_what, change) => {
  await expect(benchWorlds({ ...bench.options('refused'), ...change })).rejects.toMatchObject({
    code: 'E_BENCH_OPTION',
  })
})
