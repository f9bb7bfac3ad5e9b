import { createEnvironment, type Model, type RunResult } from '@harnesswright/core'
import { assembleModules, createVirtualClock } from '@harnesswright/core/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimModel, type SimProfile, type SimServer, serveSim } from '../src/index.js'
import { createFileTools, type Loop, runBench } from './bench.js'
import { aModelOverHttp } from './serve-client.js'
import { type CheckResult, generateTask } from './worlds.js'

let server: SimServer

beforeAll(async () => {
  server = await serveSim()
})

afterAll(() => server.close())

const FORMS = [
  ['whole', false],
  ['streamed', true],
] as const

describe.each(FORMS)('replies that are sent %s', (_form, isStream) => {
  const cells = ['quotes:small', 'long-log:small', 'lookup-chain:small', 'wide-search:small'].flatMap((world) =>
    (['sim-frontier', 'sim-mid', 'sim-chaos'] as const).map((profile) => [world, profile] as const),
  )

  test.each(cells)(
    'give %s on %s the record that the model gives in process: steps, ids, answer, usage, money, time',
    async (world, profile) => {
      for (const rng of [1, 2, 3]) {
        const inProcess = await runWorld(world, rng, createSimModel({ profile }))
        const overHttp = await runWorld(world, rng, aModelOverHttp(server.url, profile, isStream))

        expect(overHttp).toEqual(inProcess)
        expect(inProcess.result.spent.usage).toMatchObject({ source: 'known', inputTokens: expect.any(Number) })
        expect(inProcess.result.ms).toBeGreaterThan(1_000)
      }
    },
  )

  const loops: readonly (readonly [string, SimProfile, string, Loop])[] = [
    ['plan and review by schema', 'sim-small', 'quotes:large', { plan: 'linear' }],
    ['calls at once', 'sim-chaos', 'quotes:large', { plan: 'together', isParallel: true }],
    ['summaries by purpose, and the prefix cache', 'sim-mid', 'long-log:large', { memory: 'summary' }],
  ]

  test.each(loops)('give a loop with %s the result it has in process', async (_what, profile, world, loop) => {
    const inProcess = await runBench({ world, rng: 1, loop, model: createSimModel({ profile }) })
    const model = withSessions(aModelOverHttp(server.url, profile, isStream), `${isStream}`)

    expect(await runBench({ world, rng: 1, loop, model })).toEqual(inProcess)
    expect(inProcess.calls).toBeGreaterThan(5)
  })
})

test('what else is served at the same time changes nothing', async () => {
  const rngs = [1, 2, 3, 4]
  const run = (model: Model) => Promise.all(rngs.map((rng) => runWorld('quotes:small', rng, model)))
  const [first, second] = await Promise.all(
    [false, true].map((isStream) => run(aModelOverHttp(server.url, 'sim-chaos', isStream))),
  )

  expect(second).toEqual(first)
  expect(first).toEqual(await run(createSimModel({ profile: 'sim-chaos' })))
})

test('the seed of the server is that of its models', async () => {
  const seeded = await serveSim({ seed: 7, profiles: ['sim-chaos'] })
  const overHttp = await runWorld('quotes:small', 1, aModelOverHttp(seeded.url, 'sim-chaos', true))
  await seeded.close()

  expect(overHttp).toEqual(await runWorld('quotes:small', 1, createSimModel({ profile: 'sim-chaos', seed: 7 })))
  expect(overHttp).not.toEqual(await runWorld('quotes:small', 1, createSimModel({ profile: 'sim-chaos' })))
})

interface WorldRun {
  readonly result: RunResult
  readonly check: CheckResult
}

/** One run of a world through the kernel. */
async function runWorld(world: string, rng: number, model: Model): Promise<WorldRun> {
  const { task, tools, stepLimit, check } = generateTask(world, { rng })
  const files = new Map((task.files ?? []).map(({ path, text = '' }) => [path, text]))
  const env = createEnvironment({
    model,
    clock: createVirtualClock(),
    tools: [...createFileTools(files).filter(({ name }) => tools.every((one) => one.name !== name)), ...tools],
    limits: { steps: stepLimit },
  })
  const result = await (await assembleModules({}, env)).run(task, { seed: rng }).result
  return { result, check: await check({ answer: result.answer, readFile: async (path) => files.get(path) }) }
}

/** Gives the loop of a bench sessions of its own: it names them alike in every run. */
function withSessions(model: Model, name: string): Model {
  return {
    ...model,
    generate: (request, options) => model.generate({ ...request, session: `${name}/${request.session}` }, options),
  }
}
