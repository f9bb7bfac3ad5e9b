import { assemble, type CatalogPackage, createEnvironment, defineModule } from '@harnesswright/core'
import { createScriptedModel, minimalAction } from '@harnesswright/core/testkit'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog, definePackage } from '../src/catalog.js'
import { resolve } from '../src/resolve.js'
import { aCatalog, act, aManifest, guard, retrieval, stepPlanner, watcher, windowMemory } from './manifest-fixture.js'

const window = { use: '@acme/memories#window' }

/** The example with one package changed. */
const withPackage = (name: string, change: Partial<CatalogPackage>) =>
  createCatalog(aCatalog().packages.map((one) => (one.description.name === name ? { ...one, ...change } : one)))

/** A manifest with one module of one package beside the action. */
function aPlanner(options: z.ZodType, given: object) {
  const planning = defineModule({
    slot: 'planning',
    summary: 's',
    options: options as never,
    direct: () => ({ text: '' }),
  })
  const catalog = createCatalog([definePackage({ name: 'p', modules: { planning, act } })])
  const manifest = aManifest({
    packages: { p: '*' },
    memory: null,
    planning: { use: 'p#planning', with: given },
    capability: null,
    action: { use: 'p#act' },
    plugins: [],
  })
  return { catalog, manifest }
}

describe('resolve', () => {
  test('gives modules in the order in which they tap, with keys, pointers, options and prompts', async () => {
    const manifest = aManifest({
      plugins: [{ use: '@acme/watch#guard' }, { use: '@acme/watch' }],
      action: { use: '@acme/act#action', prompts: { system: 'Be brief.' } },
      capability: { use: '@acme/tools#retrieval' },
      memory: [{ ...window, with: { steps: 2 }, prompts: { greet: 'Hi.' } }, window],
    })

    const resolved = (await resolve(manifest, aCatalog())).map(({ from, ...one }) => {
      expect(from).toMatchObject({ use: one.use, slot: one.slot })
      return one
    })

    const defaults = { style: 'plain', tags: [] }
    const summarise = 'Summarise {{question}} in {{words}} words.'
    expect(resolved).toEqual([
      {
        key: 'memory.0',
        slot: 'memory',
        use: window.use,
        pointer: '/memory/0',
        module: windowMemory,
        options: { steps: 2, ...defaults },
        prompts: { summarise, greet: 'Hi.' },
      },
      {
        key: 'memory.1',
        slot: 'memory',
        use: window.use,
        pointer: '/memory/1',
        module: windowMemory,
        options: { steps: 8, ...defaults },
        prompts: { summarise, greet: 'Hello.' },
      },
      {
        key: 'planning.0',
        slot: 'planning',
        use: '@acme/planners#steps',
        pointer: '/planning',
        module: stepPlanner,
        options: { goal: 'find', depth: 1 },
        prompts: {},
      },
      {
        key: 'capability.0',
        slot: 'capability',
        use: '@acme/tools#retrieval',
        pointer: '/capability',
        module: retrieval,
        options: { top: 5 },
        prompts: {},
      },
      {
        key: 'action.0',
        slot: 'action',
        use: '@acme/act#action',
        pointer: '/action',
        module: act,
        options: {},
        prompts: { system: 'Be brief.' },
      },
      {
        key: 'plugin.0',
        slot: 'plugin',
        use: '@acme/watch#guard',
        pointer: '/plugins/0',
        module: guard,
        options: {},
        prompts: {},
      },
      {
        key: 'plugin.1',
        slot: 'plugin',
        use: '@acme/watch',
        pointer: '/plugins/1',
        module: watcher,
        options: {},
        prompts: {},
      },
    ])
  })

  test('loads each package that is named once, and no other', async () => {
    const catalog = aCatalog()
    await resolve(
      aManifest({ memory: [window, window], plugins: [{ use: '@acme/watch' }, { use: '@acme/watch#guard' }] }),
      catalog,
    )

    expect(catalog.packages.map(({ description, loads }) => [description.name, loads])).toEqual([
      ['@acme/memories', 1],
      ['@acme/planners', 1],
      ['@acme/tools', 1],
      ['@acme/act', 1],
      ['@acme/watch', 1],
      ['@acme/shell', 0],
    ])
  })

  test('loads nothing when a module is not in the catalog, or sets an option of the host', async () => {
    const catalog = aCatalog()

    await expect(resolve(aManifest({ action: { use: 'gone#action' } }), catalog)).rejects.toMatchObject({
      code: 'E_MANIFEST_UNKNOWN_MODULE',
    })
    await expect(resolve(aManifest({ memory: { ...window, with: { root: '/etc' } } }), catalog)).rejects.toMatchObject({
      code: 'E_MANIFEST_AUTHORITY',
    })
    expect(catalog.packages.every(({ loads }) => loads === 0)).toBe(true)
  })

  test('does not load a package that is made for another protocol (K70)', async () => {
    const [one] = aCatalog().packages
    const load = () => expect.unreachable()
    const old = withPackage('@acme/memories', {
      description: { ...(one as CatalogPackage).description, protocol: 0 },
      load,
    })

    await expect(resolve(aManifest(), old)).rejects.toMatchObject({
      code: 'E_MANIFEST_PROTOCOL',
      hint: 'Install a later version of @acme/memories, made for protocol 1.',
    })
  })
})

describe('a package that', () => {
  const boom = new Error('boom at import')
  test.each([
    ['throws when it is imported', { load: () => Promise.reject(boom) }, 'import', boom],
    [
      'throws at once',
      {
        load: () => {
          throw boom
        },
      },
      'import',
      boom,
    ],
    ['lacks the export', { load: async () => ({ other: windowMemory }) }, 'export', undefined],
    [
      'exports no module under the name',
      { load: async () => ({ window: { slot: 'memory', view() {} } }) },
      'export',
      undefined,
    ],
    ['exports a module of another slot', { load: async () => ({ window: act }) }, 'export', undefined],
    ['gives no exports', { load: async () => undefined as never }, 'export', undefined],
  ])('%s is named, with version, stage and cause (K68)', async (_, change, stage, cause) => {
    await expect(resolve(aManifest(), withPackage('@acme/memories', change))).rejects.toMatchObject({
      code: 'E_PROTOCOL_LOAD',
      slot: 'memory',
      module: '@acme/memories#window',
      details: { package: '@acme/memories', version: '0.3.1', stage },
      ...(cause === undefined ? {} : { cause }),
    })
  })

  test('throws while it parses its options is named too', async () => {
    const { catalog, manifest } = aPlanner(
      z.object({
        a: z
          .int()
          .describe('A.')
          .refine(() => {
            throw boom
          }),
      }),
      { a: 1 },
    )

    await expect(resolve(manifest, catalog)).rejects.toMatchObject({
      code: 'E_PROTOCOL_LOAD',
      details: { stage: 'options' },
      cause: boom,
    })
  })
})

describe('options', () => {
  test('that only the module itself can refuse are a problem of the manifest, each with its place', async () => {
    const even = z.object({
      n: z
        .int()
        .describe('N.')
        .refine((n) => n % 2 === 0, 'an even number'),
      list: z.array(z.string().refine((s) => s !== 'x', 'not x')).describe('L.'),
    })
    const { catalog, manifest } = aPlanner(even, { n: 3, list: ['a', 'x'] })

    await expect(resolve(manifest, catalog)).rejects.toMatchObject({
      code: 'E_MANIFEST_INVALID',
      details: {
        problems: [
          { code: 'E_MANIFEST_OPTION', pointer: '/planning/with/n', found: '3', expected: 'an even number' },
          { pointer: '/planning/with/list/1', found: '"x"' },
        ],
      },
    })
  })

  test('of the host are merged in and parsed with the others', async () => {
    const resolved = await resolve(aManifest(), aCatalog(), {
      hostOptions: { [window.use]: { root: '/notes' }, 'not-used': { a: 1 } },
    })

    expect(resolved[0]?.options).toEqual({ steps: 4, style: 'plain', tags: [], root: '/notes' })
  })

  test('of the host come from the environment, when a harness is assembled', async () => {
    const seen: unknown[] = []
    const planning = defineModule({
      slot: 'planning',
      summary: 's',
      options: z.object({ root: z.string().describe('R.').meta({ host: true }) }),
      direct: (ctx) => {
        seen.push(ctx.options)
        return ctx.directive
      },
    })
    const catalog = createCatalog([definePackage({ name: 'p', modules: { planning, act: minimalAction } })])
    const env = createEnvironment({
      model: createScriptedModel(['done']),
      hostOptions: { 'p#planning': { root: '/' } },
    })
    const manifest = aManifest({
      packages: { p: '*' },
      memory: null,
      planning: { use: 'p#planning' },
      capability: null,
      action: { use: 'p#act' },
      plugins: [],
      codec: 'native',
    })
    const harness = await assemble(manifest, { catalog, env })

    expect((await harness.run('x').result).status).toBe('answered')
    expect(seen).toEqual([{ root: '/' }])
  })

  test('of behaviour cannot be set by the host, as they are part of the identity', async () => {
    await expect(
      resolve(aManifest(), aCatalog(), { hostOptions: { [window.use]: { steps: 9 } } }),
    ).rejects.toMatchObject({
      code: 'E_ENV_INVALID',
      message: '/memory/with/steps: Expected a host option: root; found 9.',
    })
    await expect(
      resolve(aManifest(), aCatalog(), { hostOptions: { '@acme/act#action': { steps: 9 } } }),
    ).rejects.toMatchObject({ message: '/action/with/steps: Expected a host option: there is none; found 9.' })
  })

  test.each([[{}], [{ 'p#planning': { root: 7 } }]])(
    'of the host that are missing or wrong are the fault of the environment: %j',
    async (hostOptions) => {
      const { catalog, manifest } = aPlanner(z.object({ root: z.string().describe('R.').meta({ host: true }) }), {})

      await expect(resolve(manifest, catalog, { hostOptions })).rejects.toMatchObject({
        code: 'E_ENV_INVALID',
        message: expect.stringContaining('root'),
      })
      expect((await resolve(manifest, catalog, { hostOptions: { 'p#planning': { root: '/' } } }))[0]?.options).toEqual({
        root: '/',
      })
    },
  )
})
