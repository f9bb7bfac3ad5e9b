import { ERRORS, type Problem, problemsError } from '@harnesswright/core'
import { renderTemplate } from '@harnesswright/core/manifest'
import { describe, expect, test } from 'vitest'
import { fit } from '../src/fit.js'
import { parseManifest } from '../src/parse.js'
import { resolve } from '../src/resolve.js'
import { readManifest } from '../src/validate.js'
import { aCatalog, aManifest } from './manifest-fixture.js'

const SIX_MISTAKES = `{
  "protocol": 1,
  "name": "six-mistakes",
  "packages": { "@acme/memories": "^9.0.0", "@acme/planners": "*", "@acme/act": "2.x" },
  "memory": { "use": "@acme/memories#window", "with": { "steps": "many", "root": "/etc" } },
  "planning": { "use": "@acme/planners#stepz" },
  "capability": null,
  "action": { "use": "@acme/act#action", "prompts": { "system": "Answer {{qestion}}." } },
  "codecs": "json"
}`

describe('six mistakes in one file', () => {
  test('give exactly six problems, in document order, each with all that is needed to mend it', async () => {
    const { manifest, problems } = await readManifest(SIX_MISTAKES, { catalog: aCatalog() })

    expect(manifest).toBeUndefined()
    expect(problems).toEqual([
      {
        code: 'E_MANIFEST_VERSION',
        pointer: '/packages/@acme~1memories',
        message: 'Expected a version inside ^9.0.0; found @acme/memories 0.3.1.',
        found: '@acme/memories 0.3.1',
        expected: 'a version inside ^9.0.0',
        nearest: [],
        fix: 'Install a version inside ^9.0.0, or write "@acme/memories": "^0.3.1".',
      },
      {
        code: 'E_MANIFEST_OPTION',
        pointer: '/memory/with/steps',
        message: 'Expected a whole number above 0; found "many".',
        found: '"many"',
        expected: 'a whole number above 0',
        nearest: [],
        fix: 'Give a whole number above 0.',
      },
      {
        code: 'E_MANIFEST_AUTHORITY',
        pointer: '/memory/with/root',
        message: 'Expected an option of behaviour; found root, which only the host sets.',
        found: 'root, which only the host sets',
        expected: 'an option of behaviour',
        nearest: ['fold', 'source', 'every'],
        fix: 'Remove it, and set it for @acme/memories#window in the host options of the environment.',
      },
      {
        code: 'E_MANIFEST_UNKNOWN_MODULE',
        pointer: '/planning/use',
        message: 'Expected an installed module of slot planning; found "@acme/planners#stepz".',
        found: '"@acme/planners#stepz"',
        expected: 'an installed module of slot planning',
        nearest: ['@acme/planners#steps', '@acme/planners#free'],
        fix: 'Write "@acme/planners#steps".',
      },
      {
        code: 'E_MANIFEST_PROMPT',
        pointer: '/action/prompts/system',
        message: 'Expected a variable of the module: question; found the variable "qestion".',
        found: 'the variable "qestion"',
        expected: 'a variable of the module: question',
        nearest: ['question'],
        fix: 'Write "question".',
      },
      {
        code: 'E_MANIFEST_UNKNOWN_FIELD',
        pointer: '/codecs',
        message: expect.any(String),
        found: '"codecs"',
        expected: expect.stringContaining('codec'),
        nearest: expect.arrayContaining(['codec']),
        fix: 'Write "codec", or remove it.',
      },
    ])
  })

  test('are one error that holds them all; one problem alone is an error of its own code', async () => {
    const { problems } = await readManifest(SIX_MISTAKES, { catalog: aCatalog() })
    const all = problemsError(problems)
    const one = problemsError(problems.slice(0, 1))

    expect(all).toMatchObject({ code: 'E_MANIFEST_INVALID', details: { problems } })
    expect(all.message).toContain('There are 6 problems:')
    for (const { code, pointer } of problems) expect(all.message).toContain(`- ${code}: ${pointer}: `)
    expect(one).toMatchObject({
      code: 'E_MANIFEST_VERSION',
      hint: problems[0]?.fix,
      details: { problems: problems.slice(0, 1) },
    })
    expect(one.message).toBe(`/packages/@acme~1memories: ${problems[0]?.message}`)
  })
})

/** The example as text, with a piece put in its place. */
const written = (change: Parameters<typeof aManifest>[0] = {}) => JSON.stringify(aManifest(change))

describe('a hostile manifest', () => {
  const hostile: [string, string, string, string][] = [
    [
      'prototype keys in options',
      written().replace('"steps":4', '"steps":4,"__proto__":{"polluted":1}'),
      'E_MANIFEST_FORBIDDEN_KEY',
      '/memory/with/__proto__',
    ],
    [
      'constructor keys in metadata',
      written({ metadata: { constructor: { name: 1 } } }),
      'E_MANIFEST_FORBIDDEN_KEY',
      '/metadata/constructor',
    ],
    [
      'a prototype key at the top',
      written().replace('{"protocol"', '{"__proto__":{"limits":{}},"protocol"'),
      'E_MANIFEST_FORBIDDEN_KEY',
      '/__proto__',
    ],
    [
      'the same slot twice',
      written().replace('"codec"', '"action":{"use":"@acme/act#action","with":{"no":1}},"codec"'),
      'E_MANIFEST_DUPLICATE_KEY',
      '/action',
    ],
    ['10 MB', written({ description: 'x'.repeat(10_000_000) }), 'E_MANIFEST_SIZE', ''],
    [
      'depth 10,000',
      written().replace('"any"', `${'['.repeat(10_000)}${']'.repeat(10_000)}`),
      'E_MANIFEST_SIZE',
      `/metadata/note${'/0'.repeat(30)}`,
    ],
    [
      'an unregistered package',
      written({ action: { use: 'evil-package#action' } }),
      'E_MANIFEST_UNKNOWN_MODULE',
      '/action/use',
    ],
    [
      'a path as a package',
      written({ action: { use: '../../evil.js#action' } }),
      'E_MANIFEST_UNKNOWN_MODULE',
      '/action/use',
    ],
    [
      'a URL as a package',
      written({ action: { use: 'https://evil.example/x.js' } }),
      'E_MANIFEST_UNKNOWN_MODULE',
      '/action/use',
    ],
    [
      'a name of the prototype as a package',
      written({ action: { use: '__proto__' } }),
      'E_MANIFEST_UNKNOWN_MODULE',
      '/action/use',
    ],
    [
      'an expression in a template',
      written({ action: { use: '@acme/act#action', prompts: { system: '{{constructor.constructor("x")()}}' } } }),
      'E_MANIFEST_PROMPT',
      '/action/prompts/system',
    ],
    [
      'a host option',
      written({ memory: { use: '@acme/memories#window', with: { root: '/etc' } } }),
      'E_MANIFEST_AUTHORITY',
      '/memory/with/root',
    ],
    [
      'a module of an authority that was not granted',
      written({ plugins: [{ use: '@acme/shell' }], packages: { ...aManifest().packages, '@acme/shell': '*' } }),
      'E_MANIFEST_AUTHORITY',
      '/plugins/0/use',
    ],
    ['a number beyond all numbers', written().replace('"steps":12', '"usd":1e999'), 'E_MANIFEST_TYPE', '/limits/usd'],
    [
      'a range of 100,000 characters',
      written({ packages: { ...aManifest().packages, x: '1 || '.repeat(20_000) } }),
      'E_MANIFEST_TYPE',
      '/packages/x',
    ],
  ]

  test.each(hostile)(
    'with %s is refused, with one problem, quickly, and nothing is imported',
    async (_, text, code, pointer) => {
      const catalog = aCatalog()
      const started = performance.now()
      const { manifest, problems } = await readManifest(text, { catalog, origin: 'model' })

      expect(performance.now() - started).toBeLessThan(3_000)
      expect(manifest).toBeUndefined()
      expect(problems.map((problem) => [problem.code, problem.pointer.slice(0, 30)])).toEqual([
        [code, pointer.slice(0, 30)],
      ])
      expect(catalog.packages.every(({ loads }) => loads === 0)).toBe(true)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )

  test('of a thousand mistakes in 256 KB is answered within seconds', async () => {
    const wrong = Array.from({ length: 4_000 }, (_, index) => ({ use: `@acme/wrong-${index}#nothing`, wth: {} }))
    const started = performance.now()
    const { problems } = await readManifest(written({ memory: wrong }), { catalog: aCatalog() })

    expect(problems).toHaveLength(8_000)
    expect(performance.now() - started).toBeLessThan(6_000)
  })

  test('cannot make a prompt expand what a task inserts', () => {
    const prompt = 'Q: {{question}}'

    expect(renderTemplate(prompt, { question: '{{secret}} {{question}}', secret: 'key' } as never)).toBe(
      'Q: {{secret}} {{question}}',
    )
  })
})

describe('every code of a manifest', () => {
  const own = (change: Parameters<typeof aManifest>[0]) => () => readManifest(written(change), { catalog: aCatalog() })
  const provoked: Record<string, () => Promise<{ problems: readonly Problem[] }>> = {
    E_MANIFEST_JSON: async () => parseManifest('{"a":'),
    E_MANIFEST_SIZE: async () => parseManifest(' '.repeat(300_000)),
    E_MANIFEST_DUPLICATE_KEY: async () => parseManifest('{"a":1,"a":1}'),
    E_MANIFEST_FORBIDDEN_KEY: async () => parseManifest('{"constructor":1}'),
    E_MANIFEST_MISSING: own({ memory: undefined }),
    E_MANIFEST_UNKNOWN_FIELD: own({ colour: 1 }),
    E_MANIFEST_TYPE: own({ name: 1 }),
    E_MANIFEST_PROTOCOL: own({ protocol: 2 }),
    E_MANIFEST_UNKNOWN_MODULE: own({ memory: { use: 'x' } }),
    E_MANIFEST_SLOT: own({ memory: { use: '@acme/act#action' } }),
    E_MANIFEST_OPTION: own({ memory: { use: '@acme/memories#window', with: { steps: 0 } } }),
    E_MANIFEST_AUTHORITY: own({ memory: { use: '@acme/memories#window', with: { root: '' } } }),
    E_MANIFEST_PROMPT: own({ memory: { use: '@acme/memories#window', prompts: { none: '' } } }),
    E_MANIFEST_PACKAGE: own({
      packages: { '@acme/planners': '*', '@acme/tools': '*', '@acme/act': '*', '@acme/watch': '*' },
    }),
    E_MANIFEST_VERSION: own({ packages: { ...aManifest().packages, '@acme/act': '1.x' } }),
    E_MANIFEST_INVALID: own({ name: 1, codec: 1 }),
  }

  test('of the table has a manifest that provokes it', () => {
    expect(Object.keys(provoked).toSorted()).toEqual(
      Object.keys(ERRORS)
        .filter((code) => code.startsWith('E_MANIFEST_'))
        .toSorted(),
    )
  })

  test.each(Object.keys(provoked))('%s is provoked', async (code) => {
    expect(problemsError((await provoked[code]?.())?.problems ?? [])).toMatchObject({ code })
  })
})

test('a manifest goes from text to modules that fit', async () => {
  const catalog = aCatalog()
  const { manifest } = await readManifest(`Here it is:\n\`\`\`json\n${written()}\n\`\`\``, { catalog })
  const resolved = await resolve(manifest ?? expect.unreachable(), catalog)

  expect(resolved.map(({ key }) => key)).toEqual(['memory.0', 'planning.0', 'capability.0', 'action.0', 'plugin.0'])
  expect(fit(resolved, { catalog, model: { id: 'm', supports: { tools: true } } })).toEqual([])
})
