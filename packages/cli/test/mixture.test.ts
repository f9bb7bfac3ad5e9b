import { defineModule, type Manifest, type Message } from '@harnesswright/core'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { expect, test } from 'vitest'
import { runWorld, seedPackages } from './support/world-run.js'

/** A package made for this test: a capability that leaves the distractors of the world out. */
const files = definePackage({
  name: '@example/harnesswright-files',
  version: '1.2.0',
  modules: {
    only: defineModule({
      slot: 'capability',
      summary: 'Offers only tools that work on files.',
      system: () => 'You work on files only.',
      select: (ctx) => ({
        ...ctx.capabilities,
        tools: ctx.capabilities.tools.filter((tool) => /file/.test(tool.name)),
      }),
    }),
  },
})

/** Another: a memory that marks what it has seen. */
const marking = definePackage({
  name: '@example/harnesswright-marking',
  version: '0.3.1',
  modules: {
    memory: defineModule({
      slot: 'memory',
      summary: 'Says how many steps are behind.',
      state: () => ({ steps: 0 }),
      record(_step, ctx) {
        ctx.state.steps += 1
      },
      view(ctx) {
        const [first, ...rest] = ctx.view.messages.slice(ctx.head.length)
        const mark: Message = { role: 'user', content: `Steps behind: ${ctx.state.steps}.` }
        return { messages: first === undefined ? ctx.view.messages : [...ctx.head, mark, first, ...rest] }
      },
    }),
  },
})

const manifest: Manifest = {
  protocol: 1,
  name: 'mixture',
  packages: {
    '@example/harnesswright-marking': '^0.3.0',
    '@example/harnesswright-files': '^1.0.0',
    '@harnesswright/seed-plan-and-execute': '^0.1.0',
    '@harnesswright/seed-react': '^0.1.0',
  },
  memory: { use: '@example/harnesswright-marking#memory' },
  planning: { use: '@harnesswright/seed-plan-and-execute#planning' },
  capability: { use: '@example/harnesswright-files#only' },
  action: { use: '@harnesswright/seed-react#action' },
}

test('a manifest with memory, planning, capability and action of four packages runs, and the transcript shows each of them', async () => {
  const catalog = createCatalog([...seedPackages, files, marking])
  const { result, check, trace } = await runWorld({ world: 'quotes', rng: 2, manifest, catalog })

  expect(result.status).toBe('answered')
  expect(check.reward).toBeGreaterThan(0)
  expect(result.messages.some((message) => message.note === 'plan')).toBe(true) // planning
  expect(result.steps[0]?.capabilities.every((name) => /file/.test(name))).toBe(true) // capability
  expect(result.steps[0]?.directive.plan?.goals.length).toBeGreaterThan(0)
  expect(trace).toContain('"by":"planning.0"')
  expect(trace).toContain('"by":"action.0"')
})

test('what the memory of one package adds is in the request that the action of another sends', async () => {
  const requests: string[] = []
  const watching = definePackage({
    name: '@example/harnesswright-watching',
    version: '1.0.0',
    modules: {
      default: defineModule({
        slot: 'plugin',
        summary: 'Keeps the requests.',
        observer: true,
        modelRequest: (request) => void requests.push(JSON.stringify(request.messages)),
      }),
    },
  })
  const catalog = createCatalog([...seedPackages, files, marking, watching])
  const watched = {
    ...manifest,
    packages: { ...manifest.packages, '@example/harnesswright-watching': '*' },
    plugins: [{ use: '@example/harnesswright-watching' }],
  }
  const { result } = await runWorld({ world: 'quotes', rng: 2, manifest: watched, catalog })

  expect(requests.at(-1)).toContain(`Steps behind: ${result.steps.length - 1}.`)
  expect(requests.at(-1)).toContain('You work on files only.')
  expect(requests.at(-1)).toContain('Roadmap:')
})
