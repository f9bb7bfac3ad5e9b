import { defineModule } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { aCatalog, aManifest } from '../test/manifest-fixture.js'
import { createCatalog, definePackage } from './catalog.js'
import { readManifest, validateManifest } from './validate.js'

const catalog = aCatalog()
const check = (value: unknown, options = {}) => validateManifest(value, { catalog, ...options })
/** Code and pointer of each problem. */
const brief = async (value: unknown, options = {}) =>
  (await check(value, options)).map(({ code, pointer }) => [code, pointer])
const memory = (part: object) => aManifest({ memory: { use: '@acme/memories#window', ...part } })

describe('a valid manifest', () => {
  test('has no problems, and is not changed', async () => {
    const manifest = aManifest()
    const before = JSON.stringify(manifest)

    expect(await check(manifest)).toEqual([])
    expect(JSON.stringify(manifest)).toBe(before)
  })

  test.each([
    ['null for none', { memory: null, planning: null, capability: null }],
    ['lists', { memory: [{ use: '@acme/memories#window' }, { use: '@acme/memories#window' }], capability: [] }],
    ['a schema to look at and a description', { $schema: './s.json', description: '' }],
    ['packages that nothing uses', { packages: { ...aManifest().packages, 'not-installed': '^9' } }],
    ['limits at their ends', { limits: { depth: 0, toolCalls: 0, reserve: 0, perTool: {}, usd: 0.0001 } }],
    ['options of a union', { memory: { use: '@acme/memories#window', with: { source: { kind: 'tail', bytes: 3 } } } }],
  ])('may have %s', async (_, change) => {
    expect(await check(aManifest({ planning: { use: '@acme/planners#free' }, ...change }))).toEqual([])
  })
})

describe('the envelope', () => {
  test.each([null, 1, 'text', true, [], [{}]])('refuses %j, which is no object', async (value) => {
    expect(await brief(value)).toEqual([['E_MANIFEST_TYPE', '']])
  })

  test('tells each missing field at "", with a value to begin with', async () => {
    const problems = await check({})

    expect(problems.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(Array(7).fill('E_MANIFEST_MISSING '))
    expect(problems.map(({ fix }) => fix)).toEqual([
      'Add "protocol": 1',
      'Add "name": "my-harness"',
      'Add "packages": {}',
      'Add "memory": null',
      'Add "planning": null',
      'Add "capability": null',
      'Add "action": {"use":"@harnesswright/seed-react#action"}',
    ])
  })

  test.each([
    [{ protocol: 2 }, 'E_MANIFEST_PROTOCOL', '/protocol'],
    [{ protocol: '1' }, 'E_MANIFEST_PROTOCOL', '/protocol'],
    [{ name: '' }, 'E_MANIFEST_TYPE', '/name'],
    [{ $schema: 1 }, 'E_MANIFEST_TYPE', '/$schema'],
    [{ description: null }, 'E_MANIFEST_TYPE', '/description'],
    [{ packages: [] }, 'E_MANIFEST_TYPE', '/packages'],
    [{ memory: '@acme/memories#window' }, 'E_MANIFEST_TYPE', '/memory'],
    [{ memory: [null] }, 'E_MANIFEST_TYPE', '/memory/0'],
    [{ planning: [{ use: '@acme/planners#free' }] }, 'E_MANIFEST_TYPE', '/planning'],
    [{ action: null }, 'E_MANIFEST_TYPE', '/action'],
    [{ action: [] }, 'E_MANIFEST_TYPE', '/action'],
    [{ plugins: null }, 'E_MANIFEST_TYPE', '/plugins'],
    [{ plugins: { use: '@acme/watch' } }, 'E_MANIFEST_TYPE', '/plugins'],
    [{ plugins: { use: 'no#such' } }, 'E_MANIFEST_TYPE', '/plugins'],
    [{ planning: [{ use: 'no#such' }] }, 'E_MANIFEST_TYPE', '/planning'],
    [{ codec: 'xml' }, 'E_MANIFEST_TYPE', '/codec'],
    [{ metadata: 'x' }, 'E_MANIFEST_TYPE', '/metadata'],
    [{ limits: { steps: 0 } }, 'E_MANIFEST_TYPE', '/limits/steps'],
    [{ limits: { steps: 1.5 } }, 'E_MANIFEST_TYPE', '/limits/steps'],
    [{ limits: { usd: 0 } }, 'E_MANIFEST_TYPE', '/limits/usd'],
    [{ limits: { usd: Number.POSITIVE_INFINITY } }, 'E_MANIFEST_TYPE', '/limits/usd'],
    [{ limits: { tokens: Number.NaN } }, 'E_MANIFEST_TYPE', '/limits/tokens'],
    [{ limits: { reserve: 1.1 } }, 'E_MANIFEST_TYPE', '/limits/reserve'],
    [{ limits: { perTool: { read: -1 } } }, 'E_MANIFEST_TYPE', '/limits/perTool/read'],
    [{ limits: { step: 5 } }, 'E_MANIFEST_UNKNOWN_FIELD', '/limits/step'],
    [{ memroy: null }, 'E_MANIFEST_UNKNOWN_FIELD', '/memroy'],
    [{ action: {} }, 'E_MANIFEST_MISSING', '/action'],
    [{ action: { use: 7 } }, 'E_MANIFEST_TYPE', '/action/use'],
    [{ action: { use: { toString: 1, valueOf: 1 } } }, 'E_MANIFEST_TYPE', '/action/use'],
    [{ action: { uses: '@acme/act#action' } }, 'E_MANIFEST_UNKNOWN_FIELD', '/action/uses'],
    [{ memory: [{ use: '@acme/memories#window', options: {} }] }, 'E_MANIFEST_UNKNOWN_FIELD', '/memory/0/options'],
    [{ memory: { use: '@acme/memories#window', with: [] } }, 'E_MANIFEST_TYPE', '/memory/with'],
    [{ memory: { use: '@acme/memories#window', prompts: { greet: 1 } } }, 'E_MANIFEST_TYPE', '/memory/prompts/greet'],
  ])('gives one problem for %j', async (change, code, pointer) => {
    expect(await brief(aManifest(change))).toEqual([[code, pointer]])
  })

  test('takes a mistyped name of a field that must be there for one mistake', async () => {
    const { memory: window, ...rest } = aManifest()

    expect(await check({ ...rest, memroy: window })).toMatchObject([
      {
        code: 'E_MANIFEST_UNKNOWN_FIELD',
        pointer: '/memroy',
        nearest: expect.arrayContaining(['memory']),
        fix: 'Write "memory", or remove it.',
      },
    ])
  })
})

describe('modules', () => {
  test('gives one problem for an unknown one, and does not look at its options, prompts and package', async () => {
    const use = { use: '@acme/memorys#window', with: { no: 1 }, prompts: { no: '{{no}}' } }

    expect(await check(aManifest({ memory: use }))).toMatchObject([
      {
        code: 'E_MANIFEST_UNKNOWN_MODULE',
        pointer: '/memory/use',
        found: '"@acme/memorys#window"',
        expected: 'an installed module of slot memory',
        nearest: ['@acme/memories#window'],
        fix: 'Write "@acme/memories#window".',
      },
    ])
  })

  test('gives the three nearest of the slot', async () => {
    const [problem] = await check(aManifest({ plugins: [{ use: '@acme/wacht' }] }))

    expect(problem?.nearest).toEqual(['@acme/watch', '@acme/watch#guard', '@acme/shell'])
  })

  test('gives one problem for one in a slot that is not its own', async () => {
    expect(await brief(aManifest({ plugins: [{ use: '@acme/memories#window' }] }))).toEqual([
      ['E_MANIFEST_SLOT', '/plugins/0/use'],
    ])
    expect(await check(aManifest({ planning: { use: '@acme/memories#window', with: { steps: 'x' } } }))).toMatchObject([
      { code: 'E_MANIFEST_SLOT', pointer: '/planning/use', nearest: ['@acme/planners#free', '@acme/planners#steps'] },
    ])
  })

  test.each(['model', 'bank', 'remote'] as const)(
    'lets a manifest of origin %s name only packages of granted authority',
    async (origin) => {
      const manifest = aManifest({
        plugins: [{ use: '@acme/shell' }],
        packages: { ...aManifest().packages, '@acme/shell': '*' },
      })

      expect(await check(manifest, { origin })).toMatchObject([
        {
          code: 'E_MANIFEST_AUTHORITY',
          pointer: '/plugins/0/use',
          found: '@acme/shell with authority process',
          nearest: ['@acme/watch', '@acme/watch#guard'],
        },
      ])
      expect(await check(manifest, { origin, granted: ['none', 'process'] })).toEqual([])
      expect(await check(manifest, { origin: 'person' })).toEqual([])
      expect(await check(manifest, { origin: 'host', granted: [] })).toEqual([])
    },
  )
})

describe('options', () => {
  test.each([
    ['an unknown one', { stepz: 4 }, '/memory/with/stepz'],
    ['a wrong type', { steps: 'many' }, '/memory/with/steps'],
    ['a value out of bounds', { steps: 0 }, '/memory/with/steps'],
    ['a value outside a choice', { style: 'Boxed' }, '/memory/with/style'],
    ['a wrong type where a choice stands', { style: 5 }, '/memory/with/style'],
    ['a wrong field inside', { fold: { at: 2 } }, '/memory/with/fold/at'],
    ['an unknown field inside', { fold: { att: 1 } }, '/memory/with/fold/att'],
    ['a missing field inside a list', { tags: [{ name: 'a' }, { weight: 2 }] }, '/memory/with/tags/1'],
    ['a mistyped field inside a list', { tags: [{ nmae: 'a' }] }, '/memory/with/tags/0/nmae'],
    [
      'a wrong field of the branch that was meant',
      { source: { kind: 'tail', bytes: 'x' } },
      '/memory/with/source/bytes',
    ],
    ['a field of the other branch', { source: { kind: 'head', bytes: 1 } }, '/memory/with/source/bytes'],
    ['a branch that there is not', { source: { kind: 'middle' } }, '/memory/with/source'],
    ['no branch at all', { source: 7 }, '/memory/with/source'],
    ['a number where a number or a word stands', { every: 0 }, '/memory/with/every'],
    ['a broken number where a whole one stands', { every: 1.5 }, '/memory/with/every'],
    ['another word', { every: 'never' }, '/memory/with/every'],
  ])('give one problem for %s', async (_, options, pointer) => {
    expect(await brief(memory({ with: options }))).toEqual([['E_MANIFEST_OPTION', pointer]])
  })

  test('say what is expected, what is nearest and how to mend it', async () => {
    expect(await check(memory({ with: { style: 'boxd', stesp: 3, steps: 0 } }))).toMatchObject([
      {
        pointer: '/memory/with/style',
        found: '"boxd"',
        expected: 'one of "plain", "boxed", "numbered"',
        nearest: ['boxed', 'numbered', 'plain'],
        fix: 'Write "boxed".',
      },
      {
        pointer: '/memory/with/stesp',
        found: '"stesp"',
        expected: 'one of steps, style, fold, source, every, tags',
        nearest: ['every', 'tags', 'source'],
      },
      {
        pointer: '/memory/with/steps',
        found: '0',
        expected: 'a whole number above 0',
        nearest: [],
        fix: 'Give a whole number above 0.',
      },
    ])
  })

  test('of a union say what the branch that was meant takes, or all branches where that is not clear', async () => {
    const expectedFor = async (every: unknown) => (await check(memory({ with: { every } })))[0]?.expected

    expect(await expectedFor(0)).toBe('a whole number from 1 up')
    expect(await expectedFor(1.5)).toBe('a whole number from 1 up')
    expect(await expectedFor(true)).toMatch(/^a whole number .* or "auto" or null$/)
    expect(await expectedFor(null)).toBeUndefined()
  })

  test('that are missing are told where they could stand', async () => {
    expect(await brief(aManifest({ planning: { use: '@acme/planners#steps' } }))).toEqual([
      ['E_MANIFEST_OPTION', '/planning'],
    ])
    expect(await brief(aManifest({ planning: { use: '@acme/planners#steps', with: {} } }))).toEqual([
      ['E_MANIFEST_OPTION', '/planning/with'],
    ])
    expect(await brief(aManifest({ planning: { use: '@acme/planners#steps', with: { gaol: 'find' } } }))).toEqual([
      ['E_MANIFEST_OPTION', '/planning/with/gaol'],
    ])
  })

  test('of a module that has none are to be removed', async () => {
    expect(await check(aManifest({ action: { use: '@acme/act#action', with: { steps: 1 } } }))).toMatchObject([
      { pointer: '/action/with/steps', found: '"steps"', expected: 'no fields', nearest: [], fix: 'Remove it.' },
    ])
  })

  test('for the host are refused, whatever their value', async () => {
    expect(await check(memory({ with: { root: { a: 1 }, steps: 2 } }))).toMatchObject([
      { code: 'E_MANIFEST_AUTHORITY', pointer: '/memory/with/root', fix: expect.stringContaining('host options') },
    ])
    expect(await brief(memory({ with: { root: '/etc' } }), { origin: 'host' })).toEqual([
      ['E_MANIFEST_AUTHORITY', '/memory/with/root'],
    ])
  })

  test('of a package whose schema cannot be compiled are the fault of the package', async () => {
    const good = definePackage({
      name: 'p',
      modules: { act: defineModule({ slot: 'action', summary: 's', act: () => undefined }) },
    })
    const modules = {
      act: {
        ...good.description.modules['act'],
        options: { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
      },
    }
    const broken = createCatalog([{ ...good, description: { ...good.description, modules } as never }])
    const manifest = {
      protocol: 1,
      name: 'n',
      packages: { p: '*' },
      memory: null,
      planning: null,
      capability: null,
      action: { use: 'p#act' },
    }

    expect(await validateManifest(manifest, { catalog: broken })).toMatchObject([
      { code: 'E_PROTOCOL_MODULE', pointer: '/action/use' },
    ])
  })

  test('of a recursive schema are checked at every level', async () => {
    const Node = z.object({
      name: z.string(),
      get kids() {
        return z.array(Node).optional()
      },
    })
    const act = defineModule({
      slot: 'action',
      summary: 's',
      options: z.object({ tree: Node.describe('T.') }),
      act: () => undefined,
    })
    const recursive = createCatalog([definePackage({ name: 'p', modules: { act } })])
    const manifest = (tree: unknown) => ({
      protocol: 1,
      name: 'n',
      packages: { p: '*' },
      memory: null,
      planning: null,
      capability: null,
      action: { use: 'p#act', with: { tree } },
    })

    expect(
      await validateManifest(manifest({ name: 'a', kids: [{ name: 'b', kids: [] }] }), { catalog: recursive }),
    ).toEqual([])
    expect(
      await validateManifest(manifest({ name: 'a', kids: [{ name: 'b', kids: [{ name: 3 }] }] }), {
        catalog: recursive,
      }),
    ).toMatchObject([{ pointer: '/action/with/tree/kids/0/kids/0/name', expected: 'a text' }])
  })
})

describe('prompts', () => {
  test('may be replaced by name, with the variables of the module or fewer', async () => {
    expect(await check(memory({ prompts: { summarise: 'In {{words}}: {"a":{"b":1}}', greet: '' } }))).toEqual([])
  })

  test('of a module that has none give one problem for each name', async () => {
    expect(await check(aManifest({ plugins: [{ use: '@acme/watch', prompts: { greet: 'Hi.' } }] }))).toMatchObject([
      { pointer: '/plugins/0/prompts/greet', expected: 'a prompt of the module: it has none', nearest: [] },
    ])
  })

  test('give one problem for an unknown name, and one for each unknown variable', async () => {
    const prompts = { summarize: '{{x}}', greet: 'Hi {{name}}', summarise: '{{ question }} {{word}} {{word}}' }

    expect(await check(memory({ prompts }))).toMatchObject([
      {
        code: 'E_MANIFEST_PROMPT',
        pointer: '/memory/prompts/summarize',
        found: 'the prompt "summarize"',
        nearest: ['summarise', 'greet'],
      },
      { code: 'E_MANIFEST_PROMPT', pointer: '/memory/prompts/greet', found: 'the variable "name"', nearest: [] },
      {
        code: 'E_MANIFEST_PROMPT',
        pointer: '/memory/prompts/summarise',
        found: 'the variable " question "',
        nearest: ['question', 'words'],
      },
      {
        code: 'E_MANIFEST_PROMPT',
        pointer: '/memory/prompts/summarise',
        found: 'the variable "word"',
        nearest: ['words', 'question'],
      },
    ])
  })
})

describe('packages', () => {
  test('give one problem for each used one without a range, however often it is used', async () => {
    const manifest = aManifest({
      packages: { '@acme/act': '*', '@acme/tools': '*' },
      memory: [{ use: '@acme/memories#window' }, { use: '@acme/memories#window' }],
      plugins: [],
    })

    expect(await check(manifest)).toMatchObject([
      { code: 'E_MANIFEST_PACKAGE', pointer: '/packages', fix: 'Add "@acme/memories": "^0.3.1"' },
      { code: 'E_MANIFEST_PACKAGE', pointer: '/packages', fix: 'Add "@acme/planners": "*"' },
    ])
  })

  test('are missing where only the prototype has a field of that name', async () => {
    const [act] = aCatalog().packages.filter(({ description }) => description.name === '@acme/act')
    const { description, ...rest } = act as NonNullable<typeof act>
    const named = createCatalog([{ ...rest, description: { ...description, name: 'valueOf' } }])
    const bare = { packages: {}, memory: null, planning: null, capability: null, plugins: [] }
    const manifest = aManifest({ ...bare, action: { use: 'valueOf#action' } })

    expect(await validateManifest(manifest, { catalog: named })).toMatchObject([
      { code: 'E_MANIFEST_PACKAGE', pointer: '/packages', fix: 'Add "valueOf": "^2.0.0"' },
    ])
  })

  test('give one problem for an installed version outside its range; a linked one is inside every range', async () => {
    const packages = { ...aManifest().packages, '@acme/memories': '~0.2.0', '@acme/planners': '^7' }

    expect(await check(aManifest({ packages }))).toMatchObject([
      {
        code: 'E_MANIFEST_VERSION',
        pointer: '/packages/@acme~1memories',
        found: '@acme/memories 0.3.1',
        expected: 'a version inside ~0.2.0',
      },
    ])
  })

  test.each([['newest'], [5], [null], ['1'.repeat(201)], ['x'.repeat(200)], [`1${' '.repeat(200)}`]])(
    'give one problem for %j, which is no range',
    async (range) => {
      expect(await brief(aManifest({ packages: { ...aManifest().packages, '@acme/memories': range } }))).toEqual([
        ['E_MANIFEST_TYPE', '/packages/@acme~1memories'],
      ])
      expect(await brief(aManifest({ packages: { ...aManifest().packages, unused: range } }))).toEqual([
        ['E_MANIFEST_TYPE', '/packages/unused'],
      ])
    },
  )
})

describe('any value', () => {
  test('gets problems and no exception', async () => {
    const key = fc.constantFrom(
      'protocol',
      'name',
      'packages',
      'memory',
      'planning',
      'capability',
      'action',
      'plugins',
      'limits',
      'codec',
      'use',
      'with',
      'prompts',
      '__proto__',
      'constructor',
      'x',
    )
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom('@acme/memories#window', '@acme/planners#steps', '@acme/act#action', 1, null),
        fc.dictionary(key, tie('value'), { maxKeys: 6 }),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    })).value
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const problems = await check(value, { origin: 'model' })
        expect(problems.length).toBeGreaterThan(0)
        for (const problem of problems) {
          expect(Object.keys(problem).toSorted()).toEqual([
            'code',
            'expected',
            'fix',
            'found',
            'message',
            'nearest',
            'pointer',
          ])
          expect(problem.found.length).toBeLessThan(400)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('may be 32 levels deep, and not 33', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'end' : { a: nested(levels - 1) })

    expect(await check(aManifest({ metadata: nested(31) }))).toEqual([])
    expect(await check(aManifest({ metadata: nested(32) }))).toMatchObject([
      { code: 'E_MANIFEST_SIZE', pointer: `/metadata${'/a'.repeat(31)}` },
    ])
  })

  test('that is deeper than 32 levels, or refers to itself, is refused', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level++) deep = level % 2 === 0 ? [deep] : { a: deep }
    const loop: { self?: unknown } = {}
    loop.self = loop

    for (const value of [deep, loop])
      expect(await check(aManifest({ metadata: { value } }))).toMatchObject([{ code: 'E_MANIFEST_SIZE' }])
  })

  test('is checked in under a millisecond when it is a usual manifest and all is compiled', async () => {
    // The best of many, as other work may share the processor.
    const times: number[] = []
    for (let run = 0; run < 200; run++) {
      const started = performance.now()
      await check(aManifest())
      times.push(performance.now() - started)
    }

    expect(Math.min(...times)).toBeLessThan(1)
  })
})

describe('readManifest', () => {
  test('gives the manifest when neither text nor content has a problem', async () => {
    const text = `Here:\n${JSON.stringify(aManifest())}`

    expect(await readManifest(text, { catalog })).toEqual({ manifest: aManifest(), problems: [] })
  })

  test('gives the problems of text and content together, in document order', async () => {
    const manifest = aManifest({ planning: null, plugins: [], codec: 'xml', metadata: { constructor: 1 } })
    const text = JSON.stringify(manifest)
      .replace('"steps":4', '"steps":4,"steps":5,"__proto__":{}')
      .replace('"name":"example"', '"name":7')
    const { manifest: none, problems } = await readManifest(text, { catalog })

    expect(none).toBeUndefined()
    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['E_MANIFEST_TYPE', '/name'],
      ['E_MANIFEST_DUPLICATE_KEY', '/memory/with/steps'],
      ['E_MANIFEST_FORBIDDEN_KEY', '/memory/with/__proto__'],
      ['E_MANIFEST_TYPE', '/codec'],
      ['E_MANIFEST_FORBIDDEN_KEY', '/metadata/constructor'],
    ])
  })

  test('puts a problem of what a later key replaced where that key stands', async () => {
    const text = JSON.stringify(aManifest({ codec: 'xml' })).replace(
      '"metadata":',
      '"metadata":{"x":{"y":1,"y":2}},"metadata":',
    )
    const { problems } = await readManifest(text, { catalog })

    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['E_MANIFEST_TYPE', '/codec'],
      ['E_MANIFEST_DUPLICATE_KEY', '/metadata/x/y'],
      ['E_MANIFEST_DUPLICATE_KEY', '/metadata'],
    ])
  })

  test('gives the problem of a text that holds no manifest', async () => {
    expect((await readManifest('{"a":', { catalog })).problems).toMatchObject([{ code: 'E_MANIFEST_JSON' }])
  })
})

test('a module of a package that nobody registered is to be installed, and one that is mistyped is to be corrected', async () => {
  const problemOf = async (use: string) =>
    (await validateManifest(aManifest({ memory: { use } }), { catalog: aCatalog() }))[0]

  expect((await problemOf('left-pad#memory'))?.fix).toMatch(
    /^Install left-pad with its harnesswright.json .*, or write "@acme/,
  )
  expect((await problemOf('@acme/memorys#window'))?.fix).toBe('Write "@acme/memories#window".')
  expect((await problemOf('@acme/memories#windwo'))?.fix).toBe('Write "@acme/memories#window".')
})
