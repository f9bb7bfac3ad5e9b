import { defineModule, type Manifest, type Task } from '@harnesswright/core'
import { createCatalog } from '@harnesswright/plugin-manifest'
import { compose, type HarnessReference } from '@harnesswright/plugin-meta-agent'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aComposer, anEnvironment, aReply } from './composing.js'
import { aPackage, planPackage, reactModules } from './stand-ins.js'

/** Sixty modules with options, in fifteen packages. */
const catalog = createCatalog([
  aPackage('@harnesswright/seed-react', reactModules),
  planPackage,
  ...Array.from({ length: 55 }, (_, index) =>
    aPackage(`@acme/harnesswright-memory-${index}`, {
      memory: defineModule({
        slot: 'memory',
        summary: `Keeps what was seen in the manner ${index}, ${'in some detail, '.repeat(20)}and forgets the rest.`,
        options: z.object({
          keep: z
            .int()
            .min(1)
            .max(50)
            .default(5)
            .describe(`How much is kept. ${'More is more. '.repeat(10)}`),
          style: z.enum(['plain', 'short', 'long']).default('plain').describe('How it is written.'),
        }),
        view: (ctx) => ctx.view,
      }),
    }),
  ),
])

/** Ten thousand harnesses, as a bank may offer. */
const references = Array.from({ length: 10_000 }, (_, index): HarnessReference => {
  const manifest: Manifest = {
    protocol: 1,
    name: `champion-${index} ${'x'.repeat(500)}`,
    packages: {},
    memory: Array.from({ length: 20 }, () => ({ use: '@harnesswright/seed-react#memory', with: { fill: 0.4 } })),
    planning: null,
    capability: null,
    action: { use: '@harnesswright/seed-react#action' },
  }
  const measured = { reward: 0.81, tokens: 52_000, usd: 0.0123, ms: 9_500, runs: 40 }
  return {
    harnessId: `sha256:${index}`,
    manifest,
    card: 'y '.repeat(5_000),
    measured,
    why: `near by ${'z '.repeat(2_000)}`,
  }
})

const tasks: readonly Task[] = [
  { instruction: 'Make 8 visits and write down what you saw.' },
  {
    instruction: 'word '.repeat(50_000),
    files: Array.from({ length: 500 }, (_, at) => ({ path: `f${at}.txt`, bytes: at })),
  },
]

async function promptOf(task: Task, some: readonly HarnessReference[]) {
  const composer = aComposer([aReply({ planning: null, memory: null })])
  const options = { env: anEnvironment(), catalog, metaModel: composer, references: some, asking: { candidates: 1 } }
  const { references: kept } = await compose(task, options)
  const [request] = composer.requests
  const [system, user] = (request?.messages ?? []).map(({ content }) => content as string)
  return { system: system as string, user: user as string, schema: JSON.stringify(request?.schema), kept }
}

test('K78: with 60 modules and 10,000 references the prompt is bounded, and shows five of them with their measurements', async () => {
  const { system, user, schema, kept } = await promptOf(tasks[1] as Task, references)

  expect(catalog.modules().length).toBeGreaterThanOrEqual(60)
  expect(system.match(/^### /gm)).toHaveLength(60)
  expect(system.length).toBeLessThan(26_000)
  expect(user.length).toBeLessThan(26_000)
  expect(schema.length).toBeLessThan(32_000)
  expect(user.match(/measured: 81 % right, 52,000 tokens, 0\.0123 USD, 9\.5 s, over 40 runs/g)).toHaveLength(5)
  expect(kept).toHaveLength(20)
})

test('the prompt changes after its stable part only, byte by byte, whatever task and references are', async () => {
  const [one, other] = [await promptOf(tasks[0] as Task, []), await promptOf(tasks[1] as Task, references)]

  expect(Buffer.from(one.system).equals(Buffer.from(other.system))).toBe(true)
  expect(one.schema).toBe(other.schema)
  expect(one.system).not.toContain('champion')
  expect(other.user.indexOf('champion-0')).toBeLessThan(other.user.indexOf('# Task'))
})

test('modules have short names in the prompt and the schema, and full ones in the manifest', async () => {
  const short = aReply({ planning: null }).replaceAll(/@harnesswright\/seed-([a-z-]+)#/g, '$1.')
  const composer = aComposer([short])
  const { manifest, route } = await compose(tasks[0] as Task, { env: anEnvironment(), catalog, metaModel: composer })
  const [request] = composer.requests

  expect(JSON.stringify(request?.messages)).not.toContain('@harnesswright/')
  expect(JSON.stringify(request?.schema)).toContain('"react.memory"')
  expect(JSON.stringify(request?.schema)).not.toContain('seed-react#')
  expect(route).toBe('model')
  expect(manifest.memory).toEqual({ use: '@harnesswright/seed-react#memory', with: { fill: 0.4 } })
})

test('two packages that would have one short name keep their full ones', async () => {
  const module = (text: string) => defineModule({ slot: 'memory', summary: text, view: (ctx) => ctx.view })
  const twins = createCatalog([
    aPackage('@harnesswright/seed-react', reactModules),
    aPackage('@one/harnesswright-seed-twin', { memory: module('One.') }),
    aPackage('@two/twin', { memory: module('Two.') }),
  ])
  const composer = aComposer([aReply({ planning: null, memory: { use: '@two/twin#memory' } })])
  const { manifest } = await compose(tasks[0] as Task, { env: anEnvironment(), catalog: twins, metaModel: composer })
  const prompt = JSON.stringify(composer.requests[0]?.messages)

  expect(prompt).toContain('@one/harnesswright-seed-twin#memory')
  expect(prompt).toContain('@two/twin#memory')
  expect(manifest.memory).toEqual({ use: '@two/twin#memory' })
})

test('a bank may be a function of the task', async () => {
  const asked: string[] = []
  const composer = aComposer([aReply({ planning: null })])
  await compose('Go on.', {
    env: anEnvironment(),
    catalog,
    metaModel: composer,
    references: async (task, features) => {
      asked.push(`${task.instruction} ${features.goals}`)
      return references.slice(0, 1)
    },
  })

  expect(asked).toEqual(['Go on. 1'])
  expect(JSON.stringify(composer.requests[0]?.messages)).toContain('champion-0')
})
