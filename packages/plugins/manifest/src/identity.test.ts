import { createHash } from 'node:crypto'
import { type CatalogPackage, defineModule, type Manifest } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { aCatalog, act, aManifest, windowMemory } from '../test/manifest-fixture.js'
import { createCatalog, definePackage } from './catalog.js'
import { harnessIdOf, manifestIdOf } from './identity.js'
import { normalise } from './normalise.js'
import { parseManifest } from './parse.js'
import { validateManifest } from './validate.js'

const catalog = aCatalog()
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`
const window = { use: '@acme/memories#window' }

/** The canonical text of `aManifest()`, written by hand. */
const CANONICAL = [
  '{"action":[{"prompts":{"system":"Answer {{question}} well."},"use":"@acme/act#action","with":{}}],',
  '"capability":[{"prompts":{},"use":"@acme/tools#retrieval","with":{"top":5}}],',
  '"codec":"json",',
  '"limits":{"perTool":{"read":3},"steps":12},',
  '"memory":[{"prompts":{"greet":"Hello.","summarise":"Summarise {{question}} in {{words}} words."},"use":"@acme/memories#window","with":{"steps":4,"style":"plain","tags":[]}}],',
  '"planning":[{"prompts":{},"use":"@acme/planners#steps","with":{"depth":1,"goal":"find"}}],',
  '"plugins":[],',
  '"protocol":1}',
].join('')

describe('normalise', () => {
  test('fills in defaults, resolves prompts, makes every slot a list and drops observers and what is for people', () => {
    expect(normalise(aManifest(), catalog)).toEqual(JSON.parse(CANONICAL))
  })

  test('fills in defaults at every level that is there, and inside the meant branch of a union', () => {
    const options = { fold: { keep: 1 }, source: { kind: 'head' }, tags: [{ name: 'a' }, { name: 'b', weight: 2 }] }
    const [memory] = normalise(aManifest({ memory: { ...window, with: options } }), catalog).memory

    expect(memory?.with).toEqual({
      steps: 8,
      style: 'plain',
      fold: { at: 0.5, keep: 1 },
      source: { kind: 'head', lines: 3 },
      tags: [
        { name: 'a', weight: 1 },
        { name: 'b', weight: 2 },
      ],
    })
  })

  test('fills in defaults as the module itself does', async () => {
    const options = fc.record(
      {
        steps: fc.integer({ min: 1, max: 9 }),
        style: fc.constantFrom('plain', 'boxed'),
        fold: fc.record({ at: fc.constantFrom(0, 0.25, 1), keep: fc.nat(3) }, { requiredKeys: [] }),
        source: fc.oneof(
          fc.record({ kind: fc.constant('head'), lines: fc.nat(3) }, { requiredKeys: ['kind'] }),
          fc.record({ kind: fc.constant('tail'), bytes: fc.nat(3) }),
        ),
        tags: fc.array(fc.record({ name: fc.string(), weight: fc.nat(3) }, { requiredKeys: ['name'] })),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(options, async (given) => {
        const [memory] = normalise(aManifest({ memory: { ...window, with: given } }), catalog).memory
        expect({ value: memory?.with }).toEqual(await windowMemory.options?.['~standard'].validate(given))
      }),
    )
  })

  test('keeps null, false, 0 and an empty text, given or as a default', () => {
    const options = z.object({
      a: z.string().nullable().default(null).describe('A.'),
      b: z.boolean().default(false).describe('B.'),
      c: z.int().default(0).describe('C.'),
      d: z.string().default('').describe('D.'),
      e: z.string().nullable().default('x').describe('E.'),
    })
    const memory = defineModule({ slot: 'memory', summary: 's', options, view: (ctx) => ctx.view })
    const one = createCatalog([definePackage({ name: 'p', modules: { memory, act } })])
    const normal = normalise(
      aManifest({
        memory: { use: 'p#memory', with: { e: null } },
        planning: null,
        capability: null,
        action: { use: 'p#act' },
        plugins: [],
      }),
      one,
    )

    expect(normal.memory[0]?.with).toEqual({ a: null, b: false, c: 0, d: '', e: null })
  })

  test('refuses a module that the catalog does not have', () => {
    expect(() => normalise(aManifest({ memory: { use: 'gone#memory' } }), catalog)).toThrow(
      expect.objectContaining({
        code: 'E_MANIFEST_UNKNOWN_MODULE',
        details: { problems: [expect.objectContaining({ pointer: '/memory/use' })] },
      }),
    )
  })
})

describe('manifestIdOf', () => {
  test('is the hash of the canonical text', async () => {
    expect(await manifestIdOf(aManifest(), catalog)).toBe(sha256(CANONICAL))
    expect(await manifestIdOf(aManifest(), catalog)).toBe(
      'sha256:748fdf0143f02b7bb6fcdf3c9f69111327a22bedc55769593e187ba8f4614768',
    )
  })

  const same: [string, (manifest: Manifest) => unknown][] = [
    [
      'name, description, metadata and $schema',
      (manifest) => ({ ...manifest, name: 'b', description: 'd', metadata: {}, $schema: 's' }),
    ],
    [
      'ranges',
      (manifest) => ({
        ...manifest,
        packages: Object.fromEntries(Object.keys(manifest.packages).map((name) => [name, '*'])),
      }),
    ],
    [
      'defaults written out',
      (manifest) => ({ ...manifest, memory: { ...window, with: { tags: [], style: 'plain', steps: 4 }, prompts: {} } }),
    ],
    [
      "the module's own prompt written out",
      (manifest) => ({ ...manifest, memory: { ...window, with: { steps: 4 }, prompts: { greet: 'Hello.' } } }),
    ],
    [
      'a list of one',
      (manifest) => ({
        ...manifest,
        memory: [manifest.memory],
        capability: { use: '@acme/tools#retrieval', with: {} },
      }),
    ],
    ['observers', (manifest) => ({ ...manifest, plugins: [] })],
    ['no plugins at all', ({ plugins: _, ...manifest }) => manifest],
  ]
  test.each(same)('does not depend on %s', async (_, change) => {
    expect(await manifestIdOf(change(aManifest()) as Manifest, catalog)).toBe(sha256(CANONICAL))
  })

  const other: [string, Partial<Record<keyof Manifest, unknown>>][] = [
    ['an option', { memory: { ...window, with: { steps: 5 } } }],
    ['a prompt', { memory: { ...window, with: { steps: 4 }, prompts: { greet: 'Hello' } } }],
    ['a module', { planning: null }],
    ['the order of modules', { memory: [{ ...window, with: { steps: 4 } }, { ...window }] }],
    ['a plugin that acts', { plugins: [{ use: '@acme/watch#guard' }] }],
    ['the codec', { codec: 'auto' }],
    ['a limit', { limits: { steps: 13, perTool: { read: 3 } } }],
    ['the limit of a tool', { limits: { steps: 12, perTool: { read: 4 } } }],
    ['the protocol', { protocol: 2 }],
  ]
  test.each(other)('depends on %s', async (_, change) => {
    expect(await manifestIdOf(aManifest(change), catalog)).not.toBe(sha256(CANONICAL))
  })

  test.each(['steps', 'tokens', 'usd', 'ms', 'toolCalls', 'depth', 'concurrency', 'repeats', 'reserve'])(
    'depends on the limit %s',
    async (name) => {
      const idOf = (limits: object) => manifestIdOf(aManifest({ limits }), catalog)

      expect(new Set([await idOf({}), await idOf({ [name]: 0.5 }), await idOf({ [name]: 1 })]).size).toBe(3)
    },
  )

  test('takes an empty perTool for none', async () => {
    expect(normalise(aManifest({ limits: { steps: 4, perTool: {} } }), catalog).limits).toEqual({ steps: 4 })
    expect(await manifestIdOf(aManifest({ limits: { steps: 4, perTool: {} } }), catalog)).toBe(
      await manifestIdOf(aManifest({ limits: { steps: 4 } }), catalog),
    )
  })

  test('depends on a module that says that it only observes, unless it is a plugin', async () => {
    const memory = defineModule({ slot: 'memory', summary: 's', observer: true, view: (ctx) => ctx.view })
    const more = createCatalog([...catalog.packages, definePackage({ name: 'p', modules: { memory } })])
    const manifest = aManifest({ memory: { use: 'p#memory' } })

    expect(normalise(manifest, more).memory).toEqual([{ use: 'p#memory', with: {}, prompts: {} }])
    expect(await harnessIdOf(manifest, more)).not.toBe(await harnessIdOf(aManifest({ memory: null }), more))
  })

  test('tells one order of modules from the other', async () => {
    const [a, b] = [
      { ...window, with: { steps: 4 } },
      { ...window, with: { steps: 5 } },
    ]

    expect(await manifestIdOf(aManifest({ memory: [a, b] }), catalog)).not.toBe(
      await manifestIdOf(aManifest({ memory: [b, a] }), catalog),
    )
  })

  test('takes no memory, an empty list and codec auto for what they are', async () => {
    const none = aManifest({ memory: null, capability: null, codec: 'auto', limits: {} })
    const { codec: _, limits: __, ...bare } = aManifest({ memory: [], capability: [] })

    expect(await manifestIdOf(bare as Manifest, catalog)).toBe(await manifestIdOf(none, catalog))
  })

  test('does not depend on the order of keys, and survives text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.nat(4), async (stream, indent) => {
        const shuffled = shuffleKeys(aManifest(), stream) as Manifest
        const { manifest, problems } = parseManifest(JSON.stringify(shuffled, undefined, indent))

        expect([...problems, ...(await validateManifest(manifest, { catalog }))]).toEqual([])
        expect(normalise(manifest as Manifest, catalog)).toEqual(JSON.parse(CANONICAL))
        expect(await manifestIdOf(manifest as Manifest, catalog)).toBe(sha256(CANONICAL))
      }),
      { numRuns: 50 },
    )
  })
})

describe('harnessIdOf', () => {
  const expected = sha256(
    [
      `{"manifest":"${sha256(CANONICAL)}",`,
      '"packages":{"@acme/act":{"integrity":"sha256:cc","version":"2.0.0"},',
      '"@acme/memories":{"integrity":"sha256:aa","version":"0.3.1"},',
      '"@acme/planners":{"integrity":"none","version":"0.0.0-linked"},',
      '"@acme/tools":{"integrity":"sha256:bb","version":"1.2.0"}},',
      '"protocol":1}',
    ].join(''),
  )
  const withPackage = (name: string, change: Partial<CatalogPackage>) =>
    createCatalog(catalog.packages.map((one) => (one.description.name === name ? { ...one, ...change } : one)))

  test('is the hash of manifest, exact versions, integrities and protocol', async () => {
    expect(await harnessIdOf(aManifest(), catalog)).toBe(expected)
    expect(await harnessIdOf(aManifest(), catalog)).toBe(
      'sha256:1445b379153eac67b158607b41fb128753c866831f88b85cc595f6eba5712577',
    )
  })

  test('depends on version and integrity of each package that is used', async () => {
    expect(await harnessIdOf(aManifest(), withPackage('@acme/act', { version: '2.0.1' }))).not.toBe(expected)
    expect(await harnessIdOf(aManifest(), withPackage('@acme/act', { integrity: 'sha256:ce' }))).not.toBe(expected)
  })

  test('does not depend on packages of observers, on ranges that nothing uses, and on the order of the catalog', async () => {
    expect(await harnessIdOf(aManifest({ plugins: [] }), withPackage('@acme/watch', { version: '9.9.9' }))).toBe(
      expected,
    )
    expect(await harnessIdOf(aManifest({ packages: { ...aManifest().packages, other: '1' } }), catalog)).toBe(expected)
    expect(await harnessIdOf(aManifest(), createCatalog(catalog.packages.toReversed()))).toBe(expected)
  })

  test('is reached without importing a package', () => {
    expect(catalog.packages.map(({ loads }) => loads)).toEqual([0, 0, 0, 0, 0, 0])
  })
})

function shuffleKeys(value: unknown, stream: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleKeys(item, stream))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => ({
    key,
    item: shuffleKeys(item, stream),
    rank: stream.next().value as number,
  }))
  return Object.fromEntries(entries.sort((a, b) => a.rank - b.rank).map(({ key, item }) => [key, item]))
}
