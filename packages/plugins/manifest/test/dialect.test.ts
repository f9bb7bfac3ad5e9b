import { type Catalog, defineModule, type JsonSchema, type Module } from '@harnesswright/core'
import {
  checkOpenAiSchema,
  createCatalog,
  createDialect,
  type DialectOptions,
  definePackage,
  validateManifest,
} from '@harnesswright/plugin-manifest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { aCatalog, act } from './manifest-fixture.js'
import { valuesOf } from './schema-values.js'

const full = aCatalog()
const dialects = ['openai', 'gbnf'] as const

function withOptions(options: z.ZodType, slot: 'memory' | 'planning' = 'memory', name = 'p'): Catalog {
  const module = defineModule(
    slot === 'memory'
      ? { slot, summary: 's', options: options as never, view: (ctx) => ctx.view }
      : { slot, summary: 's', options: options as never, direct: () => ({ text: '' }) },
  ) as Module
  return createCatalog([definePackage({ name, modules: { one: module, act } })])
}

/** What the schema has for the options of the first memory. */
function optionsOf(catalog: Catalog, options: DialectOptions): Readonly<Record<string, JsonSchema>> {
  const { memory } = createDialect(catalog, options).schema['properties'] as { memory: JsonSchema }
  const [module] = (memory['anyOf'] ?? memory['oneOf']) as { properties: { with?: JsonSchema } }[]
  return (module?.properties.with?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
}

function usesOf(catalog: Catalog, options: DialectOptions): readonly string[] {
  return createDialect(catalog, options).modules.map(({ use }) => use)
}

/** Options of every kind, those that cannot be offered among them. */
const everything = withOptions(
  z.object({
    flag: z.boolean().describe('d').default(true),
    share: z
      .number()
      .min(0.1)
      .max(0.9)
      .default(0.6)
      .describe('d')
      .meta({ buckets: [0.4, 0.6, 2] }),
    count: z.int().positive().default(8).describe('d'),
    style: z
      .enum(['plain', 'boxed', 'numbered'])
      .default('plain')
      .describe('d')
      .meta({ buckets: ['plain', 'boxed'] }),
    title: z.string().max(40).optional().describe('d'),
    long: z.string().min(3).optional().describe('d'),
    code: z
      .string()
      .regex(/^[a-z]+$/)
      .optional()
      .describe('d'),
    tags: z
      .array(z.enum(['a', 'b', 'c']))
      .min(1)
      .max(2)
      .optional()
      .describe('d'),
    names: z
      .array(z.object({ name: z.string(), at: z.int().meta({ buckets: [1, 2] }) }))
      .optional()
      .describe('d'),
    fold: z
      .object({ at: z.number().meta({ buckets: [0.25, 0.5] }), keep: z.boolean().optional() })
      .optional()
      .describe('d'),
    every: z
      .union([
        z
          .int()
          .min(1)
          .meta({ buckets: [2, 4] }),
        z.literal('auto'),
        z.null(),
      ])
      .optional()
      .describe('d'),
    source: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('head'), lines: z.int().meta({ buckets: [3, 9] }) }),
        z.object({ kind: z.literal('tail') }),
      ])
      .optional()
      .describe('d'),
    weights: z.record(z.string(), z.number()).optional().describe('d'),
    least: z.int().min(3).describe('d'),
    root: z.string().optional().describe('d').meta({ host: true }),
  }),
)

describe.each(dialects)('the dialect %s', (dialect) => {
  test.each([
    ['a catalog with modules of every slot', full],
    ['options of every kind', everything],
    ['a needed text', withOptions(z.object({ goal: z.string().min(3).describe('d') }), 'planning')],
  ])('has values that all map to a manifest that is valid in full: %s', { timeout: 30_000 }, async (_what, catalog) => {
    const { schema, read } = createDialect(catalog, { dialect, prompts: true })
    const accepts = new Ajv2020({ strict: false }).compile(catalog.schema({ dialect: 'full' }))
    await fc.assert(
      fc.asyncProperty(valuesOf(schema), async (value) => {
        const manifest = read(value)

        expect(await validateManifest(manifest, { catalog, origin: 'model' })).toEqual([])
        expect(accepts(JSON.parse(JSON.stringify(manifest)))).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('is a JSON Schema, and every value that the sampler draws is one of it', () => {
    const { schema } = createDialect(everything, { dialect })
    const accepts = new Ajv2020({ strict: false }).compile(schema)

    fc.assert(
      fc.property(valuesOf(schema), (value) => accepts(value)),
      { numRuns: 100 },
    )
  })

  test('is what the catalog gives by that name', () => {
    expect(full.schema({ dialect })).toEqual(createDialect(full, { dialect }).schema)
  })

  test('has one module in every slot, and null where a slot may be empty', () => {
    const { read } = createDialect(full, { dialect })
    const bare = {
      name: 'n',
      memory: null,
      planning: null,
      capability: null,
      action: { use: '@acme/act#action' },
      plugin: null,
    }

    expect(read(bare)).toEqual({
      protocol: 1,
      name: 'n',
      packages: { '@acme/act': '^2.0.0' },
      memory: null,
      planning: null,
      capability: null,
      action: { use: '@acme/act#action' },
    })
    expect(read({ ...bare, plugin: { use: '@acme/watch#guard' } })).toMatchObject({
      plugins: [{ use: '@acme/watch#guard' }],
      packages: { '@acme/act': '^2.0.0', '@acme/watch': '^1.0.0' },
    })
  })

  test('offers no option of the host, no observer, and no package of an authority that was not granted', () => {
    const { modules, schema } = createDialect(full, { dialect })
    const uses = modules.map(({ use }) => use)

    expect(uses).not.toContain('@acme/watch')
    expect(uses).not.toContain('@acme/shell')
    expect(usesOf(full, { dialect, granted: ['none', 'process'] })).toContain('@acme/shell')
    expect(Object.keys(optionsOf(full, { dialect }))).not.toContain('root')
    expect(JSON.stringify(schema)).not.toContain('root')
  })

  test('offers numbers as their buckets, and not what no choice of it is sure to be valid', () => {
    const fields = optionsOf(everything, { dialect })

    expect(Object.keys(fields)).toEqual([
      'flag',
      'share',
      'style',
      'title',
      'long',
      'tags',
      'names',
      'fold',
      'every',
      'source',
      'least',
    ])
    expect(JSON.stringify(fields['share'])).toContain('"enum":[0.4,0.6]')
    expect(JSON.stringify(fields['style'])).toContain('"enum":["plain","boxed"]')
    expect(fields['least']).toEqual({ type: 'integer', enum: [3] })
    expect(JSON.stringify(fields)).not.toMatch(/"(?:minimum|maximum|default)"/)
  })

  test('says what it offers in words, with what holds by default', () => {
    const [memory] = createDialect(everything, { dialect }).modules

    expect(memory).toMatchObject({ use: 'p#one', slot: 'memory', summary: 's', requires: [], provides: [] })
    expect(memory?.options.slice(0, 4)).toEqual([
      { name: 'flag', choices: 'true | false', default: true, description: 'd' },
      { name: 'share', choices: '0.4 | 0.6', default: 0.6, description: 'd' },
      { name: 'style', choices: '"plain" | "boxed"', default: 'plain', description: 'd' },
      { name: 'title', choices: 'text of at most 40 characters', description: 'd' },
    ])
    expect(Object.fromEntries(memory?.options.map(({ name, choices }) => [name, choices]) ?? [])).toMatchObject({
      tags: 'list of at most 2 of ("a" | "b" | "c")',
      fold: '{ at: 0.25 | 0.5, keep: true | false }',
      every: '2 | 4 | "auto"',
      source: '{ kind: "head", lines: 3 | 9 } | { kind: "tail" }',
    })
  })

  test('leaves a module out that has an option which must be set and cannot be offered', () => {
    const catalog = withOptions(z.object({ code: z.string().regex(/^a+$/).describe('d') }))

    expect(usesOf(catalog, { dialect })).toEqual(['p#act'])
  })

  test('reads what is set and leaves out what is null', () => {
    const { read } = createDialect(everything, { dialect })
    const nothing = Object.fromEntries(Object.keys(optionsOf(everything, { dialect })).map((name) => [name, null]))
    const given = {
      ...nothing,
      share: 0.4,
      tags: ['a', 'b', 'c'],
      least: 3,
      fold: { at: 0.5, keep: null },
      title: 'x'.repeat(60),
    }

    expect(read({ memory: { use: 'p#one', with: given } })['memory']).toEqual({
      use: 'p#one',
      with: { share: 0.4, tags: ['a', 'b'], least: 3, fold: { at: 0.5 }, title: 'x'.repeat(40) },
    })
  })

  test('keeps the mistakes of a value that is not of it, for their problems to be told', async () => {
    const { read } = createDialect(full, { dialect })
    const draft = read({
      name: 7,
      memory: { use: '@acme/memories#windo' },
      planning: { use: '@acme/planners#steps', with: { goal: 'find', dept: 2 } },
      action: { use: '@acme/act#action', with: { a: 1 } },
    })
    const problems = await validateManifest(draft, { catalog: full })

    expect(draft.name).toBe('composed')
    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['E_MANIFEST_UNKNOWN_MODULE', '/memory/use'],
      ['E_MANIFEST_OPTION', '/planning/with/dept'],
      ['E_MANIFEST_OPTION', '/action/with/a'],
    ])
    expect(await validateManifest(read('junk'), { catalog: full })).toMatchObject([
      { code: 'E_MANIFEST_MISSING', pointer: '' },
    ])
  })

  test('offers prompts where they are asked for, and takes none with variables that its module does not have', () => {
    const { read, schema } = createDialect(full, { dialect, prompts: true })
    const memory = (summarise: string) =>
      read({ memory: { use: '@acme/memories#window', prompts: { summarise, greet: null } } })['memory']

    expect(JSON.stringify(schema)).toContain('"summarise"')
    expect(JSON.stringify(createDialect(full, { dialect }).schema)).not.toContain('"summarise"')
    expect(memory('Sum up {{question}}.')).toMatchObject({ prompts: { summarise: 'Sum up {{question}}.' } })
    expect(memory('Sum up {{everything}}.')).toEqual({ use: '@acme/memories#window' })
  })
})

describe('the dialect openai', () => {
  test.each([
    ['modules of every slot', full],
    ['options of every kind', everything],
    ['no module but an action', createCatalog([definePackage({ name: 'p', modules: { act } })])],
  ])('keeps every published restriction: %s', (_what, catalog) => {
    for (const options of [{}, { prompts: true }, { inside: 1 }] as const)
      expect(checkOpenAiSchema(createDialect(catalog, { dialect: 'openai', ...options }).schema)).toEqual([])
  })

  test('leaves out options that nest deeper than it may, the more the deeper the manifest stands', () => {
    const deep = withOptions(
      z.object({
        a: z
          .object({ b: z.object({ c: z.boolean() }) })
          .optional()
          .describe('d'),
        e: z.object({ f: z.boolean() }).optional().describe('d'),
      }),
    )
    const names = (inside: number) => Object.keys(optionsOf(deep, { dialect: 'openai', inside }))

    expect(names(0)).toEqual(['a', 'e'])
    expect(names(1)).toEqual(['e'])
    expect(names(2)).toEqual([])
  })

  test('leaves out options and then modules that are least wanted, where not all fit', () => {
    const many = createCatalog(
      Array.from({ length: 20 }, (_, index) =>
        definePackage({
          name: `p${index}`,
          modules: {
            one: defineModule({
              slot: 'memory',
              summary: 's',
              options: z.object({
                on: z.boolean().default(true).describe('d'),
                off: z.boolean().default(true).describe('d'),
              }),
              view: (ctx) => ctx.view,
            }),
            act,
          },
        }),
      ),
    )
    const limits = { depth: 5, properties: 40, enumValues: 500, nameChars: 15_000, largeEnumChars: 7_500 }
    const rank = ({ use }: { readonly use: string }): number => (use.startsWith('p7#') ? 1 : 0)
    const { schema, modules } = createDialect(many, { dialect: 'openai', limits, rank })
    const uses = modules.map(({ use }) => use)

    expect(checkOpenAiSchema(schema, limits)).toEqual([])
    expect(uses.slice(0, 2)).toEqual(['p7#one', 'p7#act'])
    expect(uses.length).toBeLessThan(40)
    expect(uses.some((use) => use.endsWith('#act'))).toBe(true)
    expect(usesOf(many, { dialect: 'openai', rank })).toHaveLength(40)
  })
})

describe('the published restrictions', () => {
  const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  })
  const flag = { type: 'boolean' }

  test('are kept by a closed object of which everything is required', () => {
    expect(checkOpenAiSchema(object({ a: flag, b: { anyOf: [{ type: 'string' }, { type: 'null' }] } }))).toEqual([])
  })

  test.each<[string, JsonSchema, string, RegExp]>([
    ['no object at the top', { type: 'array', items: flag }, '', /must be of type "object"/],
    ['anyOf at the top', object({ a: flag }, { anyOf: [] }), '', /"anyOf" cannot stand/],
    [
      'an open object',
      { type: 'object', properties: { a: flag }, required: ['a'] },
      '',
      /"additionalProperties": false/,
    ],
    [
      'a property that need not be there',
      object({ a: flag }, { required: [] }),
      '',
      /Every property must be required; a is not/,
    ],
    ['a default', object({ a: { type: 'boolean', default: true } }), '/properties/a/default', /"default" is not taken/],
    ['a length', object({ a: { type: 'string', maxLength: 3 } }), '/properties/a/maxLength', /is not taken/],
    ['oneOf', object({ a: { oneOf: [flag] } }), '/properties/a/oneOf', /is not taken/],
    ['anything', object({ a: {} }), '/properties/a', /must say a type/],
    ['a list of anything', object({ a: { type: 'array' } }), '/properties/a', /must say its "items"/],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/b' } }), '/properties/a/$ref', /points at nothing/],
    [
      'what is required and not there',
      object({ a: flag }, { required: ['a', 'b'] }),
      '/required',
      /"b" is no property/,
    ],
  ])('refuse %s', (_what, schema, pointer, message) => {
    expect(checkOpenAiSchema(schema)).toContainEqual({ pointer, message: expect.stringMatching(message) })
  })

  test('refuse what is no schema', () => {
    expect(checkOpenAiSchema(null)).toHaveLength(1)
    expect(checkOpenAiSchema(object({ a: true as never }))).toMatchObject([{ pointer: '/properties/a' }])
  })

  test('bound nesting, properties, values and their characters', () => {
    const deep = [1, 2, 3, 4, 5].reduce((inner) => object({ inner }), object({ a: flag }))
    const wide = object(Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`p${index}`, flag])))
    const values = (count: number, chars: number) =>
      object({
        a: { type: 'string', enum: Array.from({ length: count }, (_, index) => `${index}`.padEnd(chars, 'x')) },
      })
    const told = (schema: JsonSchema) => checkOpenAiSchema(schema).map(({ message }) => message)

    expect(told(deep)).toEqual(['6 levels of objects; at most 5 are taken.'])
    expect(told(wide)).toEqual(['5001 properties; at most 5000 are taken.'])
    expect(told(values(1_001, 4))).toEqual(['1001 values in enumerations; at most 1000 are taken.'])
    expect(told(values(300, 60))).toEqual([
      '18000 characters in an enumeration of more than 250 values; at most 15000 are taken.',
    ])
    expect(told(values(200, 700))).toEqual(['140001 characters of names and values; at most 120000 are taken.'])
  })

  test('count definitions, which references point at', () => {
    expect(checkOpenAiSchema(object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: object({ c: flag }) } }))).toEqual([])
    expect(checkOpenAiSchema(object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: { type: 'object' } } }))).toMatchObject(
      [{ pointer: '/$defs/b' }],
    )
  })
})
