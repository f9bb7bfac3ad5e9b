import { describe, expect, test } from 'vitest'
import { aCatalog, aManifest, retrieval, windowMemory } from '../test/manifest-fixture.js'
import { createCatalog, definePackage } from './catalog.js'

describe('createCatalog', () => {
  test('names modules by package and export, and the default export by its package alone', () => {
    expect(
      aCatalog()
        .modules()
        .map(({ use }) => use),
    ).toEqual([
      '@acme/memories#window',
      '@acme/planners#steps',
      '@acme/planners#free',
      '@acme/tools#retrieval',
      '@acme/act#action',
      '@acme/watch',
      '@acme/watch#guard',
      '@acme/shell',
    ])
  })

  test('lists the modules of one slot', () => {
    expect(
      aCatalog()
        .modules('plugin')
        .map(({ use }) => use),
    ).toEqual(['@acme/watch', '@acme/watch#guard', '@acme/shell'])
  })

  test('finds a module by its name, written exactly so', () => {
    const catalog = aCatalog()

    expect(catalog.find('@acme/watch')).toMatchObject({
      slot: 'plugin',
      export: 'default',
      package: { version: '1.0.0' },
    })
    for (const other of [
      '@acme/watch#default',
      '@acme/memories',
      'window',
      '',
      '@acme/memories#toString',
      '__proto__',
    ]) {
      expect(catalog.find(other)).toBeUndefined()
    }
  })

  test('gives the three nearest names, of one slot or of all', () => {
    expect(aCatalog().nearest('@acme/planer#steps')).toHaveLength(3)
    expect(aCatalog().nearest('@acme/planer#steps')[0]).toBe('@acme/planners#steps')
    expect(aCatalog().nearest('@acme/planer#steps', 'memory')).toEqual(['@acme/memories#window'])
  })

  test('refuses two packages of one name', () => {
    const one = definePackage({ name: 'p', modules: { retrieval } })

    expect(() => createCatalog([one, { ...one, version: '2.0.0' }])).toThrow(
      expect.objectContaining({ code: 'E_ENV_INVALID' }),
    )
  })

  test('imports no package, whatever is asked of it', () => {
    const catalog = aCatalog()
    catalog.modules()
    catalog.find('@acme/watch')
    catalog.nearest('x')
    catalog.schema({ dialect: 'full' })

    expect(catalog.packages.map(({ loads }) => loads)).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('a catalog resolves', () => {
  const able = { id: 'able', supports: { tools: true } }
  const resolve = (change: Readonly<Record<string, unknown>>, model = able) =>
    aCatalog().resolve(aManifest(change), { hostOptions: {}, model })

  test('modules that fit, with the options of the host', async () => {
    const mounts = await aCatalog().resolve(aManifest({ codec: 'native' }), {
      hostOptions: { '@acme/memories#window': { root: '/notes' } },
      model: able,
    })

    expect(mounts.map(({ key }) => key)).toEqual(['memory.0', 'planning.0', 'capability.0', 'action.0', 'plugin.0'])
    expect(mounts[0]?.options).toMatchObject({ root: '/notes' })
  })

  test('no modules that lack a label, a codec or a model with tool calls', async () => {
    await expect(resolve({ codec: 'native', memory: null })).rejects.toMatchObject({ code: 'E_PROTOCOL_REQUIRES' })
    await expect(resolve({ codec: 'json' })).rejects.toMatchObject({ code: 'E_PROTOCOL_MODEL' })
    await expect(resolve({ codec: 'native' }, { id: 'unable', supports: { tools: false } })).rejects.toMatchObject({
      code: 'E_PROTOCOL_MODEL',
    })
  })
})

describe('definePackage', () => {
  test('gives a package in memory, linked unless it says a version', async () => {
    const one = definePackage({ name: 'p', modules: { window: windowMemory } })

    expect(one).toMatchObject({
      version: '0.0.0-linked',
      integrity: 'none',
      description: { name: 'p', authority: 'none' },
    })
    expect(await one.load()).toEqual({ window: windowMemory })
  })
})
