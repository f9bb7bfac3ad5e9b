import { createEnvironment, type Manifest, type Task } from '@harnesswright/core'
import { createScriptedModel, minimalAction, minimalMemory } from '@harnesswright/core/testkit'
import { createCatalog } from '@harnesswright/plugin-manifest'
import { expect, test } from 'vitest'
import { type ComposeOptions, type Composition, compose } from '../src/index.js'
import { anEnvironment, aPackage, bothSeeds, planPackage, reactModules, reactPackage } from './stand-ins.js'
import { aDiaryTask, anOrderTask } from './tasks.js'

const env = anEnvironment()

async function composed(
  task: Task | string,
  catalog = bothSeeds,
  options: Partial<ComposeOptions> = {},
): Promise<Composition> {
  return await compose(task, { env, catalog, ...options })
}

test('a small task and one of a larger volume get different manifests, each for its reason', async () => {
  const [order, diary] = [await composed(anOrderTask()), await composed(aDiaryTask())]

  expect(order.manifest).toMatchObject({ name: 'react', memory: null, planning: null })
  expect(diary.manifest).toMatchObject({ name: 'large-volume', planning: null })
  expect(diary.manifest.memory).not.toBeNull()
  expect(order.manifestId).not.toBe(diary.manifestId)
  expect(diary.manifest.description).toMatch(/8,700 tokens to observe are 27 % of the window/)
})

test.each([2, 3, 4])('a volume of %i parts of 2,900 tokens is guarded in a window of 32,000', async (parts) => {
  expect((await composed(aDiaryTask(undefined, parts))).manifest.name).toBe('large-volume')
})

test('what is composed runs, and gives the answer', async () => {
  const { harness } = await composed(aDiaryTask())

  const result = await harness.run(aDiaryTask(), { seed: 1 }).result

  expect(result).toMatchObject({ status: 'answered', answer: 'the answer' })
})

test('a text is a task of that instruction', async () => {
  expect((await composed('Make 8 visits.')).features).toEqual(
    (await composed({ instruction: 'Make 8 visits.' })).features,
  )
})

test('every row that was looked at is explained in order, up to the one that was taken', async () => {
  const { explanation, attempts } = await composed(aDiaryTask())

  expect(explanation.map(({ rule, applies }) => [rule, applies])).toEqual([
    ['tight-budget', false],
    ['many-parts-large-volume', false],
    ['many-parts', false],
    ['large-volume', true],
  ])
  expect(explanation.every(({ because }) => because.length > 0)).toBe(true)
  expect(attempts).toEqual([
    { manifest: expect.anything(), route: 'rules', origin: 'host', problems: [], repairs: [], outcome: 'taken' },
  ])
})

test('the limits of the host are features', async () => {
  const { manifest } = await compose('Make 8 visits.', { env: anEnvironment({ steps: 9 }), catalog: bothSeeds })

  expect(manifest).toMatchObject({ name: 'tight-budget', planning: null })
})

test('packages get ranges of the installed versions, and linked ones any', async () => {
  const linked = createCatalog([
    aPackage('@harnesswright/seed-react', reactModules, '0.0.0-linked'),
    planPackage,
    aPackage('@other/unused', { memory: minimalMemory }),
  ])

  expect((await composed('Make 8 visits.', linked)).manifest.packages).toEqual({
    '@harnesswright/seed-react': '*',
    '@harnesswright/seed-plan-and-execute': '^1.4.2',
  })
})

test('when the planner is not installed, the next row that applies is taken and the problem told', async () => {
  const { route, manifest, attempts, explanation } = await composed('Make 8 visits.', createCatalog([reactPackage]))

  expect(route).toBe('rules')
  expect(manifest).toMatchObject({ name: 'large-volume', planning: null })
  expect(attempts.map((attempt) => [attempt.manifest.name, attempt.problems.map(({ code }) => code)])).toEqual([
    ['many-parts-large-volume', ['E_MANIFEST_UNKNOWN_MODULE']],
    ['many-parts', ['E_MANIFEST_UNKNOWN_MODULE']],
    ['large-volume', []],
  ])
  expect(attempts[0]?.problems[0]).toMatchObject({ pointer: '/planning/use' })
  expect(explanation.filter(({ applies }) => applies).map(({ rule }) => rule)).toEqual([
    'many-parts-large-volume',
    'many-parts',
    'large-volume',
  ])
})

test('when no row can be assembled, the seed react without options is the fallback', async () => {
  const older = { ...reactModules, memory: minimalMemory, action: minimalAction }
  const catalog = createCatalog([aPackage('@harnesswright/seed-react', older)])

  const mended = await composed(aDiaryTask(), catalog)
  const { route, manifest, explanation } = await composed(aDiaryTask(), catalog, { repair: 'off' })

  expect(mended).toMatchObject({ route: 'rules', manifest: { name: 'large-volume' } })
  expect(mended.attempts.map(({ outcome, repairs }) => [outcome, repairs.length])).toEqual([
    ['taken', 1],
    ['failed', 0],
  ])
  expect(route).toBe('fallback')
  expect(manifest).toMatchObject({ name: 'react', action: { use: '@harnesswright/seed-react#action' } })
  expect(explanation.at(-1)).toMatchObject({ rule: 'react', applies: true })
})

test('when the seed react is not installed, another action module is the fallback', async () => {
  const catalog = createCatalog([aPackage('@other/actor', { act: minimalAction }, '2.0.0')])

  const { route, manifest, harness } = await composed(anOrderTask(), catalog, { repair: 'off' })

  expect(route).toBe('fallback')
  expect(manifest).toMatchObject({
    memory: null,
    planning: null,
    capability: null,
    action: { use: '@other/actor#act' },
  })
  expect(manifest.packages).toEqual({ '@other/actor': '^2.0.0' })
  expect((await harness.run('Go.').result).status).toBe('answered')
})

test('a package that cannot be imported is a problem of the attempt, and the next one is taken', async () => {
  const broken = { ...planPackage, load: async () => Promise.reject(new Error('no such file')) }

  const { attempts, manifest } = await composed('Make 8 visits.', createCatalog([reactPackage, broken]))

  expect(attempts[0]?.problems).toMatchObject([{ code: 'E_PROTOCOL_LOAD', pointer: '/planning' }])
  expect(manifest.name).toBe('large-volume')
})

test('a catalog without an action module is refused with what to install', async () => {
  const catalog = createCatalog([planPackage])

  await expect(composed(anOrderTask(), catalog)).rejects.toMatchObject({
    code: 'E_COMPOSE_NOTHING',
    hint: expect.stringContaining('@harnesswright/seed-react'),
  })
})

test('when an action module is there and nothing assembles, the error tells the last problem', async () => {
  const broken = { ...reactPackage, load: async () => Promise.reject(new Error('no such file')) }

  await expect(composed(anOrderTask(), createCatalog([broken]))).rejects.toMatchObject({
    code: 'E_COMPOSE_NOTHING',
    message: expect.stringContaining('no such file'),
    details: { attempts: expect.arrayContaining([expect.objectContaining({ route: 'fallback' })]) },
  })
})

test.each(['react', 'plan-and-execute'] as const)(
  'the proposer fixed takes the seed %s for every task',
  async (fixed) => {
    const { route, manifest, explanation, features } = await compose(aDiaryTask(), {
      env,
      catalog: bothSeeds,
      proposer: { fixed },
    })

    expect(route).toBe('fixed')
    expect(manifest.name).toBe(fixed)
    expect(manifest.planning?.use).toContain(fixed === 'react' ? 'seed-react#' : 'seed-plan-and-execute#')
    expect(explanation).toMatchObject([{ rule: fixed, applies: true }])
    expect(features.sources).toBe(3)
  },
)

test('the proposer fixed takes a manifest as it is', async () => {
  const mine: Manifest = {
    protocol: 1,
    name: 'mine',
    packages: { '@harnesswright/seed-react': '>=1' },
    memory: null,
    planning: null,
    capability: null,
    action: { use: '@harnesswright/seed-react#action' },
  }

  const { route, manifest } = await compose('Go.', { env, catalog: bothSeeds, proposer: { fixed: mine } })

  expect(route).toBe('fixed')
  expect(manifest).toEqual(mine)
})

test('a fixed manifest that does not assemble falls back to the seed react, with its problems told', async () => {
  const { route, attempts } = await compose('Go.', {
    env,
    catalog: createCatalog([reactPackage]),
    proposer: { fixed: 'plan-and-execute' },
  })

  expect(route).toBe('fallback')
  expect(attempts.map((attempt) => [attempt.route, attempt.problems.length])).toEqual([
    ['fixed', 1],
    ['fallback', 0],
  ])
})

test('an origin that is not trusted may not name packages of more authority', async () => {
  const reaching = { ...reactPackage, description: { ...reactPackage.description, authority: 'network' as const } }
  const catalog = createCatalog([reaching])

  await expect(compose('Go.', { env, catalog, origin: 'remote' })).rejects.toMatchObject({ code: 'E_COMPOSE_NOTHING' })
  expect((await compose('Go.', { env, catalog })).route).toBe('rules')
})

test('no model is called', async () => {
  const model = createScriptedModel(['the answer'])

  await compose(anOrderTask(), { env: createEnvironment({ model }), catalog: bothSeeds })

  expect(model.requests).toEqual([])
})

test('a failure that is no problem of a manifest is not taken for one', async () => {
  const circular: Record<string, unknown> = { protocol: 1, name: 'round' }
  circular['metadata'] = circular

  const composing = compose('Go.', { env, catalog: bothSeeds, proposer: { fixed: circular as unknown as Manifest } }) // no JSON

  await expect(composing).rejects.toThrow(TypeError)
})
