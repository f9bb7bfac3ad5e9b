import { defineModule } from '@harnesswright/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { aCatalog, act, aManifest } from '../test/manifest-fixture.js'
import { createCatalog, definePackage } from './catalog.js'
import { validateManifest } from './validate.js'

const catalog = aCatalog()
const schema = catalog.schema({ dialect: 'full' })
const compile = (full: object) => new Ajv2020({ strict: false }).compile(full)
const accepts = compile(schema)

const packages = Object.fromEntries(catalog.packages.map(({ description }) => [description.name, '*']))

/** A value that is often right. */
const often = <T, U>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<U>) =>
  fc.oneof({ arbitrary: right as fc.Arbitrary<T | U>, weight: 12 }, { arbitrary: wrong, weight: 1 })
const junk = fc.constantFrom<unknown>(null, 0, 1, -1, 1.5, '', 'x', true, [], {}, [{}], { x: 1 })
const record = (fields: Record<string, fc.Arbitrary<unknown>>, always: string[] = []) =>
  often(
    fc.record(fields, { requiredKeys: always as never[] }),
    fc.oneof(junk, fc.record({ ...fields, extra: junk }, { requiredKeys: ['extra'] as never[] })),
  )

const windowOptions = record({
  steps: often(fc.integer({ min: 1, max: 99 }), junk),
  style: often(fc.constantFrom('plain', 'boxed', 'numbered'), junk),
  fold: record({ at: often(fc.double({ min: 0, max: 1, noNaN: true }), junk), keep: often(fc.nat(5), junk) }),
  source: fc.oneof(
    record({ kind: often(fc.constant('head'), junk), lines: often(fc.nat(5), junk) }, ['kind']),
    record({ kind: often(fc.constant('tail'), junk), bytes: often(fc.nat(5), junk) }, ['kind', 'bytes']),
  ),
  tags: often(
    fc.array(record({ name: often(fc.string(), junk), weight: often(fc.nat(5), junk) }, ['name']), { maxLength: 2 }),
    junk,
  ),
})
const uses = catalog.modules().map(({ use }) => use)
const anyUse = record({ use: fc.constantFrom(...uses, 'nobody#home', 7), with: fc.oneof(windowOptions, junk) }, ['use'])
const prompts = (names: string[]) =>
  record(Object.fromEntries(names.map((name) => [name, often(fc.constant('text'), junk)])))
const memory = record(
  { use: fc.constant('@acme/memories#window'), with: windowOptions, prompts: prompts(['summarise', 'greet']) },
  ['use'],
)
const planner = record(
  {
    use: fc.constant('@acme/planners#steps'),
    with: record({ goal: often(fc.constant('find'), junk), depth: often(fc.nat(3), junk) }, ['goal']),
  },
  ['use', 'with'],
)
const retriever = record(
  { use: fc.constant('@acme/tools#retrieval'), with: record({ top: often(fc.integer({ min: 1, max: 20 }), junk) }) },
  ['use'],
)
const plugin = record(
  {
    use: fc.constantFrom('@acme/watch', '@acme/watch#guard', '@acme/shell'),
    with: fc.constant({}),
    prompts: fc.constant({}),
  },
  ['use'],
)
const positive = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.double({ min: 0.001, max: 10, noNaN: true }))
const manifests = record(
  {
    $schema: often(fc.constant('./s.json'), junk),
    protocol: often(fc.constant(1), junk),
    name: often(fc.constant('n'), junk),
    description: often(fc.string(), junk),
    packages: fc.constant(packages),
    memory: often(fc.oneof(memory, fc.array(memory, { maxLength: 2 }), fc.constant(null)), fc.oneof(anyUse, junk)),
    planning: often(
      fc.oneof(planner, fc.constant({ use: '@acme/planners#free' }), fc.constant(null)),
      fc.oneof(anyUse, fc.array(planner, { minLength: 1, maxLength: 1 })),
    ),
    capability: often(fc.oneof(retriever, fc.array(retriever, { maxLength: 2 }), fc.constant(null)), anyUse),
    action: often(
      record({ use: fc.constant('@acme/act#action'), prompts: prompts(['system']) }, ['use']),
      fc.oneof(anyUse, junk),
    ),
    plugins: often(fc.array(often(plugin, anyUse), { maxLength: 2 }), junk),
    codec: often(fc.constantFrom('auto', 'native', 'json', 'marker'), junk),
    limits: record({
      steps: often(fc.integer({ min: 1, max: 99 }), fc.oneof(positive, junk)),
      usd: often(positive, junk),
      reserve: often(fc.double({ min: 0, max: 1, noNaN: true }), junk),
      depth: often(fc.nat(3), junk),
      perTool: often(fc.dictionary(fc.constantFrom('read', 'write'), often(fc.nat(9), junk)), junk),
    }),
    metadata: often(fc.dictionary(fc.constantFrom('a', 'b'), junk), junk),
  },
  ['protocol', 'name', 'packages', 'memory', 'planning', 'capability', 'action'],
)

describe('the full dialect', () => {
  test('is a JSON Schema 2020-12 that the meta-schema accepts', () => {
    expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true)
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema')
  })

  test('is JSON: what an editor reads is what was written', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
  })

  test('accepts the example, and tells modules apart by "use"', () => {
    expect(accepts(aManifest())).toBe(true)
    expect(accepts(aManifest({ memory: { use: '@acme/act#action' } }))).toBe(false)
    expect(accepts(aManifest({ action: { use: '@acme/act#action', prompts: { other: 'x' } } }))).toBe(false)
  })

  test('asks for "with" where an option must be set', () => {
    expect(accepts(aManifest({ planning: { use: '@acme/planners#steps' } }))).toBe(false)
    expect(accepts(aManifest({ planning: { use: '@acme/planners#free' } }))).toBe(true)
  })

  test('does not offer options of the host', () => {
    expect(JSON.stringify(schema)).not.toContain('Folder of the notes.')
    expect(accepts(aManifest({ memory: { use: '@acme/memories#window', with: { root: '/' } } }))).toBe(false)
  })

  test('accepts exactly the manifests in which validate finds no problem', async () => {
    const seen = { valid: 0, invalid: 0 }
    await fc.assert(
      fc.asyncProperty(manifests, async (manifest) => {
        const problems = await validateManifest(manifest, { catalog })
        seen[problems.length === 0 ? 'valid' : 'invalid']++
        expect({ accepted: accepts(manifest), problems }).toEqual({ accepted: problems.length === 0, problems })
      }),
      { numRuns: 1_000 },
    )
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100)
  })

  test('keeps references inside options right, also to the options as a whole', async () => {
    const Node = z.object({
      name: z.string(),
      get kids() {
        return z.array(Node).optional()
      },
    })
    const plan = defineModule({
      slot: 'planning',
      summary: 's',
      options: z.object({ tree: Node.describe('T.') }),
      direct: () => ({ text: '' }),
    })
    const recursive = createCatalog([definePackage({ name: 'p', modules: { plan, act } })])
    const accepts = compile(recursive.schema({ dialect: 'full' }))
    const manifest = (tree: unknown) => ({
      ...aManifest(),
      packages: { p: '*' },
      memory: null,
      capability: null,
      plugins: [],
      planning: { use: 'p#plan', with: { tree } },
      action: { use: 'p#act' },
    })

    expect(accepts(manifest({ name: 'a', kids: [{ name: 'b', kids: [] }] }))).toBe(true)
    expect(accepts(manifest({ name: 'a', kids: [{ name: 'b', kids: [{ nam: 'c' }] }] }))).toBe(false)
  })

  test('keeps references of each module inside its own options, and one to the options as a whole', () => {
    const Sub = z.object({
      depth: z.int().describe('D.'),
      get sub() {
        return Sub.optional().describe('S.')
      },
    })
    const one = defineModule({ slot: 'memory', summary: 's', view: (ctx) => ctx.view })
    const two = defineModule({ slot: 'memory', summary: 's', options: Sub, view: (ctx) => ctx.view })
    const both = createCatalog([definePackage({ name: 'p', modules: { one, two, act } })])
    const accepts = compile(both.schema({ dialect: 'full' }))
    const manifest = (options: unknown) => ({
      ...aManifest(),
      packages: { p: '*' },
      memory: { use: 'p#two', with: options },
      planning: null,
      capability: null,
      plugins: [],
      action: { use: 'p#act' },
    })

    expect(both.find('p#two')?.description.options).toMatchObject({ properties: { sub: { $ref: '#' } } })
    expect(accepts(manifest({ depth: 1, sub: { depth: 2, sub: { depth: 3 } } }))).toBe(true)
    expect(accepts(manifest({ depth: 1, sub: { depth: 2, sub: { depth: 'x' } } }))).toBe(false)
  })

  test('leaves a slot without installed modules empty', () => {
    const accepts = compile(createCatalog([definePackage({ name: 'p', modules: { act } })]).schema({ dialect: 'full' }))
    const manifest = {
      protocol: 1,
      name: 'n',
      packages: {},
      memory: null,
      planning: null,
      capability: [],
      action: { use: 'p#act' },
      plugins: [],
    }

    expect(accepts(manifest)).toBe(true)
    expect(accepts({ ...manifest, memory: { use: 'p#act' } })).toBe(false)
    expect(compile(createCatalog([]).schema({ dialect: 'full' }))(manifest)).toBe(false)
  })
})
