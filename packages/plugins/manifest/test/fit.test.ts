import { type CodecName, defineModule, type ModelInfo } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { createCatalog, definePackage } from '../src/catalog.js'
import { fit } from '../src/fit.js'
import { resolve } from '../src/resolve.js'
import { aCatalog, aManifest } from './manifest-fixture.js'

const catalog = aCatalog()
const model: ModelInfo = { id: 'tiny', supports: { tools: true } }

describe('fit', () => {
  test('finds nothing wrong where every label is provided', async () => {
    expect(fit(await resolve(aManifest(), catalog), { catalog, model, codec: 'native' })).toEqual([])
  })

  test('names every missing label with its module and the modules that provide it', async () => {
    const needy = defineModule({
      slot: 'action',
      summary: 's',
      requires: ['guard', 'moon', 'guard', 'own'],
      provides: ['own'],
      act: () => undefined,
    })
    const more = createCatalog([...catalog.packages, definePackage({ name: 'needy', modules: { default: needy } })])
    const resolved = await resolve(aManifest({ memory: null, action: { use: 'needy' } }), more)

    expect(fit(resolved, { catalog: more, model })).toMatchObject([
      {
        code: 'E_PROTOCOL_REQUIRES',
        pointer: '/planning/use',
        found: 'no "summary"',
        nearest: ['@acme/memories#window'],
        fix: 'Add one of: @acme/memories#window (memory).',
      },
      {
        code: 'E_PROTOCOL_REQUIRES',
        pointer: '/action/use',
        expected: 'a module that provides "guard", which this one requires',
        nearest: ['@acme/watch#guard'],
      },
      {
        code: 'E_PROTOCOL_REQUIRES',
        pointer: '/action/use',
        expected: 'a module that provides "moon", which this one requires',
        nearest: [],
        fix: 'Install a package that has one.',
      },
    ])
  })

  test.each([
    [0, 'Install a later version of @acme/act, made for protocol 1.'],
    [2, 'Install a later version of core, which speaks protocol 2.'],
  ])('refuses a package made for protocol %i, and says which side to upgrade', async (protocol, fix) => {
    const resolved = (await resolve(aManifest(), catalog)).map((one) => {
      if (one.slot !== 'action') return one
      const { package: from } = one.from
      return { ...one, from: { ...one.from, package: { ...from, description: { ...from.description, protocol } } } }
    })

    expect(fit(resolved, { catalog, model })).toMatchObject([
      {
        code: 'E_MANIFEST_PROTOCOL',
        pointer: '/action/use',
        found: `@acme/act 2.0.0, made for protocol ${protocol}`,
        expected: 'a package made for protocol 1',
        fix,
      },
    ])
  })

  test('a model without tool calls needs a codec that writes them as text', async () => {
    const resolved = await resolve(aManifest(), catalog)
    const plain: ModelInfo = { id: 'plain', supports: {} }
    const problems = (codec: CodecName, codecs: readonly string[] = ['json', 'marker']) =>
      fit(resolved, { catalog, model: plain, codec, codecs })

    for (const codec of ['auto', 'json', 'marker'] as const) expect(problems(codec)).toEqual([])
    expect(problems('native')).toMatchObject([
      { code: 'E_PROTOCOL_MODEL', pointer: '/codec', found: expect.stringContaining('plain') },
    ])
    expect(problems('auto', [])).toMatchObject([
      {
        code: 'E_PROTOCOL_MODEL',
        pointer: '',
        found: 'plain, a model without tool calls, which needs the codec json, which is not registered',
        fix: expect.stringContaining('@harnesswright/plugin-codecs'),
      },
    ])
  })

  test.each(['json', 'marker'] as const)(
    'a codec %s that is not registered is told with its package',
    async (codec) => {
      const model: ModelInfo = { id: 'm', supports: { tools: true } }

      expect(fit(await resolve(aManifest(), catalog), { catalog, model, codec })).toMatchObject([
        {
          code: 'E_PROTOCOL_MODEL',
          pointer: '/codec',
          message: `Expected one of auto, native; found the codec ${codec}, which is not registered.`,
          nearest: ['auto', 'native'],
          fix: 'Install @harnesswright/plugin-codecs and register its codecs, or use a model with tool calls.',
        },
      ])
    },
  )

  test('tells all that does not fit at once', async () => {
    const resolved = await resolve(aManifest({ memory: null }), catalog)

    expect(
      fit(resolved, { catalog, model: { id: 'm', supports: {} }, codec: 'native', protocol: 3 }).map(
        ({ code }) => code,
      ),
    ).toEqual([
      'E_MANIFEST_PROTOCOL',
      'E_PROTOCOL_REQUIRES',
      'E_MANIFEST_PROTOCOL',
      'E_MANIFEST_PROTOCOL',
      'E_MANIFEST_PROTOCOL',
      'E_PROTOCOL_MODEL',
    ])
  })
})
