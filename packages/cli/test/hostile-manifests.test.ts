import { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { Socket } from 'node:net'
import { assemble, createEnvironment, defineModule, isHarnessError, type Manifest } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { createCatalog, definePackage, readManifest } from '@harnesswright/plugin-manifest'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { manifestOf, seedPackages } from './support/world-run.js'

/** A package that needs the network, and has an option that only the host may set. */
const loaded = vi.fn()
const reaching = {
  ...definePackage({
    name: '@example/harnesswright-reaching',
    version: '1.0.0',
    authority: 'network',
    modules: {
      memory: defineModule({
        slot: 'memory',
        summary: 'Keeps pages on a server.',
        options: z.strictObject({
          url: z.url().default('https://example.com').describe('Where the pages are.').meta({ host: true }),
          pages: z.int().default(3).describe('Pages kept.'),
        }),
        view: (ctx) => ctx.view,
      }),
    },
  }),
  load: loaded,
}
const catalog = createCatalog([...seedPackages, reaching])
const react = manifestOf('react')
const text = (change: Record<string, unknown>): string => JSON.stringify({ ...react, ...change })
const deep = `{"protocol":1,"metadata":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`

const hostile: readonly [name: string, manifest: string, code: string][] = [
  [
    'a key that reaches the prototype',
    `{"__proto__":{"polluted":true},${text({}).slice(1)}`,
    'E_MANIFEST_FORBIDDEN_KEY',
  ],
  [
    'such a key among options',
    text({ memory: { use: '@harnesswright/seed-react#memory', with: JSON.parse('{"constructor":{}}') } }),
    'E_MANIFEST_FORBIDDEN_KEY',
  ],
  ['the same key twice', `{"name":"first",${text({}).slice(1)}`, 'E_MANIFEST_DUPLICATE_KEY'],
  ['ten megabytes', text({ description: 'x'.repeat(10_000_000) }), 'E_MANIFEST_SIZE'],
  ['ten thousand levels', deep, 'E_MANIFEST_SIZE'],
  ['a package that nobody registered', text({ memory: { use: 'left-pad#memory' } }), 'E_MANIFEST_UNKNOWN_MODULE'],
  [
    'a path in place of a package',
    text({ memory: { use: '../../../../tmp/evil.mjs#memory' } }),
    'E_MANIFEST_UNKNOWN_MODULE',
  ],
  [
    'a template with an expression',
    text({ action: { use: '@harnesswright/seed-react#action', prompts: { system: '{{constructor}}' } } }),
    'E_MANIFEST_PROMPT',
  ],
  [
    'an option that only the host may set',
    text({
      packages: { ...react.packages, '@example/harnesswright-reaching': '*' },
      memory: { use: '@example/harnesswright-reaching#memory', with: { url: 'http://169.254.169.254/' } },
    }),
    'E_MANIFEST_AUTHORITY',
  ],
]

const touched: string[] = []
const note = (what: string) => (): never => {
  touched.push(what)
  throw new Error(`${what} is not allowed here`)
}

beforeEach(() => {
  touched.length = 0
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(note('a socket'))
  vi.spyOn(ChildProcess.prototype as unknown as { spawn(): void }, 'spawn').mockImplementation(note('a process'))
  for (const name of ['writeFileSync', 'mkdirSync', 'openSync', 'writeFile', 'open'] as const)
    vi.spyOn(fs, name).mockImplementation(note(name))
})

afterEach(() => vi.restoreAllMocks())

test.each(hostile)(
  '%s is refused with its code, and nothing is imported, written, connected or started',
  async (_name, manifest, code) => {
    const { problems } = await readManifest(manifest, { catalog })

    expect(problems.map((problem) => problem.code)).toEqual([code])
    expect(touched).toEqual([])
    expect(loaded).not.toHaveBeenCalled()
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  },
)

test('a manifest of a model cannot name a package whose authority the host has not granted', async () => {
  const manifest = text({
    packages: { ...react.packages, '@example/harnesswright-reaching': '*' },
    memory: { use: '@example/harnesswright-reaching#memory' },
  })

  expect((await readManifest(manifest, { catalog, origin: 'model' })).problems.map(({ code }) => code)).toEqual([
    'E_MANIFEST_AUTHORITY',
  ])
  expect((await readManifest(manifest, { catalog, origin: 'person' })).problems).toEqual([])
})

test('limits above those of the host are cut to them', async () => {
  const model = createScriptedModel([{ call: 'nothing' }])
  const env = createEnvironment({ model, limits: { steps: 3, tokens: 50_000 } })
  const generous: Manifest = { ...react, limits: { steps: 5_000, tokens: 9e9 } }

  const { result } = (await assemble(generous, { catalog, env })).run('Do nothing, for ever.')

  expect(await result).toMatchObject({ status: 'limit', reason: 'steps', spent: { steps: 3 } })
})

test('what a prompt is given is never looked at for variables again', async () => {
  const injected: Manifest = {
    ...react,
    action: { use: '@harnesswright/seed-react#action', prompts: { unreadable: 'Wrong: {{fault}}' } },
  }
  const model = createScriptedModel(['{{system}}', '{"ok":true}'])
  const harness = await assemble(injected, { catalog, env: createEnvironment({ model }) })

  const result = await harness.run({ instruction: 'Say {{system}} in JSON.', output: { type: 'object' } }).result

  expect(result.answer).toEqual({ ok: true })
  expect(model.requests[0]?.messages.find((message) => message.role === 'user')?.content).toBe(
    'Say {{system}} in JSON.',
  )
})

test('assembly refuses what validation refuses', async () => {
  const env = createEnvironment({ model: createScriptedModel(['x']) })
  for (const [, manifest] of hostile) {
    const error = await assemble(manifest, { catalog, env }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(isHarnessError(error) && error.code).toMatch(/^E_MANIFEST_/)
  }
  expect(loaded).not.toHaveBeenCalled()
})
