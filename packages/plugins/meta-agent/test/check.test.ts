import { type Catalog, createEnvironment, defineModule, type Manifest, type Module } from '@harnesswright/core'
import { createScriptedModel, minimalAction, minimalMemory, minimalPlanning } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { checkManifest, compose, smokeRun } from '@harnesswright/plugin-meta-agent'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { anEnvironment } from './stand-ins.js'
import { allSeeds, seedManifests } from './thirteen-seeds.js'

const env = anEnvironment()

/** A catalog of one package, and a manifest of its modules. */
function of(
  modules: Readonly<Record<string, Module>>,
  manifest: Partial<Manifest> = {},
  authority: 'none' | 'network' = 'none',
) {
  const catalog: Catalog = createCatalog([
    definePackage({ name: '@acme/parts', version: '1.0.0', authority, modules: { action: minimalAction, ...modules } }),
  ])
  const whole: Manifest = {
    protocol: 1,
    name: 'parts',
    packages: { '@acme/parts': '*' },
    memory: null,
    planning: null,
    capability: null,
    action: { use: '@acme/parts#action' },
    ...manifest,
  }
  return { catalog, manifest: whole }
}

describe('the smoke run', () => {
  test.each(Object.entries(seedManifests))(
    'of the seed %s passes, and is the same each time',
    async (_name, manifest) => {
      const one = await smokeRun(manifest, { catalog: allSeeds, env })
      const other = await smokeRun(manifest, { catalog: allSeeds, env })

      expect(one.problems).toEqual([])
      expect(one.steps).toBeGreaterThan(1)
      expect(one.transcript === other.transcript).toBe(true)
    },
  )

  test('takes no time of the clock of the host, calls no tool and no model of it', async () => {
    let touched = 0
    const model = createScriptedModel(['x'])
    const tools = [
      {
        name: 'rm',
        description: 'Removes.',
        parameters: { type: 'object' },
        execute: () => {
          touched += 1
          return 'gone'
        },
      },
    ]
    const host = createEnvironment({ model, tools })
    const before = Date.now()
    const { problems } = await smokeRun(seedManifests['react'] as Manifest, { catalog: allSeeds, env: host })

    expect(problems).toEqual([])
    expect([touched, model.requests.length]).toEqual([0, 0])
    expect(Date.now() - before).toBeLessThan(5_000)
  })

  test('finds a module that throws at step 3, and says which and when', async () => {
    const memory = defineModule({
      ...minimalMemory,
      view: (ctx) => {
        if (ctx.step === 3) throw new Error('three is too many')
        return ctx.view
      },
    })
    const { catalog, manifest } = of({ memory }, { memory: [{ use: '@acme/parts#memory' }] })
    const { stage, problems, harness } = await checkManifest(manifest, { catalog, env })

    expect(harness).toBeUndefined()
    expect(stage).toBe('smoke')
    expect(problems).toMatchObject([
      {
        code: 'E_RUN_MODULE',
        pointer: '/memory/0',
        module: '@acme/parts#memory',
        message: expect.stringMatching(/at step 3: .*three is too many/),
      },
    ])
  })

  test('finds a view that breaks the rules of history, which a run would only heal', async () => {
    const memory = defineModule({ ...minimalMemory, view: (ctx) => ({ messages: ctx.view.messages.slice(1) }) })
    const { catalog, manifest } = of({ memory }, { memory: { use: '@acme/parts#memory' } })
    const { problems } = await checkManifest(manifest, { catalog, env })

    expect(problems).toMatchObject([{ code: 'E_PROTOCOL_VIEW', pointer: '/memory' }])
  })

  test('finds an action that goes on for ever where the model has answered', async () => {
    const action = defineModule({ ...minimalAction, act: () => ({ kind: 'think', feedback: 'Think again.' }) })
    const { catalog, manifest } = of({ action })
    const { problems } = await checkManifest(manifest, { catalog, env })

    expect(problems).toMatchObject([{ code: 'E_COMPOSE_SMOKE', pointer: '/action' }])
  })

  test('leaves out what reaches a network, and says so', async () => {
    const { catalog, manifest } = of({}, {}, 'network')
    const { harness, notes } = await checkManifest(manifest, { catalog, env })

    expect(harness).toBeDefined()
    expect(notes).toEqual(['@acme/parts#action reaches a network or processes, and is not run to try it.'])
  })
})

describe('checks in order', () => {
  const { catalog } = of({})
  test.each([
    ['parse', 'no JSON at all'],
    ['parse', '{"protocol":1,"protocol":1}'],
    ['validate', '{"protocol":1,"name":"x"}'],
    ['fit', JSON.stringify({ ...of({}).manifest, codec: 'marker' })],
  ])('%s refuses %s', async (stage, text) => {
    expect(await checkManifest(text, { catalog, env })).toMatchObject({ stage })
  })

  test('a prompt with a variable that the module does not have is refused', async () => {
    const action = defineModule({ ...minimalAction, prompts: { rule: 'Answer {{question}}.' } })
    const parts = of({ action }, { action: { use: '@acme/parts#action', prompts: { rule: 'Answer {{quetsion}}.' } } })
    const { stage, problems } = await checkManifest(parts.manifest, { ...parts, env })

    expect(stage).toBe('validate')
    expect(problems).toMatchObject([{ code: 'E_MANIFEST_PROMPT', pointer: '/action/prompts/rule' }])
  })

  test('prompts that fill a quarter of the window are refused before anything runs', async () => {
    const action = defineModule({ ...minimalAction, prompts: { rule: 'Answer.' } })
    const parts = of({ action }, { action: { use: '@acme/parts#action', prompts: { rule: 'x'.repeat(40_000) } } })
    const { stage, problems } = await checkManifest(parts.manifest, { ...parts, env })

    expect(stage).toBe('prompts')
    expect(problems).toMatchObject([{ code: 'E_COMPOSE_PROMPTS' }])
  })
})

describe('liveness', () => {
  const planning = defineModule({
    ...minimalPlanning,
    options: z.object({
      say: z.string().default('').describe('What is said.'),
      idle: z.int().default(1).describe('Nothing.'),
    }),
    prompts: { spoken: 'Go on.', unspoken: 'Never mind.' },
    direct: (ctx) => ({ text: ctx.options.say === '' ? '' : `${ctx.options.say} ${ctx.prompt('spoken', {})}` }),
  })
  const parts = of(
    { planning, memory: minimalMemory },
    {
      memory: { use: '@acme/parts#memory' },
      planning: {
        use: '@acme/parts#planning',
        with: { say: 'Look.', idle: 7 },
        prompts: { spoken: 'Go.', unspoken: 'Well.' },
      },
    },
  )

  test('reports a module, an option and a prompt that change nothing, and none that change something', async () => {
    const { harness, dead } = await checkManifest(parts.manifest, { ...parts, env, liveness: 'report' })

    expect(harness).toBeDefined()
    expect(dead.map(({ what, pointer }) => [what, pointer])).toEqual([
      ['module', '/memory'],
      ['option', '/planning/with/idle'],
      ['prompt', '/planning/prompts/unspoken'],
    ])
  })

  test('K76: refuses them where that is wanted', async () => {
    const { harness, stage, problems } = await checkManifest(parts.manifest, { ...parts, env, liveness: 'refuse' })

    expect([harness, stage]).toEqual([undefined, 'liveness'])
    expect(problems.map(({ code }) => code)).toEqual(['E_COMPOSE_DEAD', 'E_COMPOSE_DEAD', 'E_COMPOSE_DEAD'])
  })

  test('of what is written as it is by default is not looked for', async () => {
    const manifest: Manifest = {
      ...parts.manifest,
      memory: null,
      planning: { use: '@acme/parts#planning', with: { say: 'Go.', idle: 1 } },
    }

    expect((await checkManifest(manifest, { ...parts, env, liveness: 'report' })).dead).toEqual([])
  })

  test('of a composition that refuses them is mended by leaving them out', async () => {
    const proposer = {
      route: 'mutate' as const,
      propose: () => [{ manifest: parts.manifest, origin: 'bank' as const, explanation: [] }],
    }
    const options = { catalog: parts.catalog, env, proposer, liveness: 'refuse' } as const
    const { manifest, attempts, dead, route } = await compose('Go.', options)

    expect(route).toBe('mutate')
    expect(attempts[0]).toMatchObject({ stage: 'liveness', outcome: 'taken' })
    expect(attempts[0]?.repairs[0]?.cases.map(({ family }) => family)).toEqual(['interface', 'interface', 'interface'])
    expect(manifest).toMatchObject({ memory: null, planning: { with: { say: 'Look.' }, prompts: { spoken: 'Go.' } } })
    expect(dead).toEqual([])
  })
})
