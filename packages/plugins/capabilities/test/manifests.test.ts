import * as capabilities from '@harnesswright/plugin-capabilities'
import { describePackage } from '@harnesswright/plugin-manifest'
import { describe, expect, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import { aTool, catalog, runScript, seedWith, use } from './support/harness.js'

test('harnesswright.json says what the code is', () => {
  const { name, authority } = description
  expect(describePackage({ name, authority: authority as 'none', modules: { ...capabilities } })).toEqual(description)
})

const NAMES = Object.keys(capabilities) as (keyof typeof capabilities)[]

describe.each(['react', 'plan-and-execute'] as const)('with the seed %s', (seed) => {
  test.each([...NAMES.map((name) => [name, [name]] as const), ['every module', NAMES] as const])(
    '%s fits, with nothing to say of the manifest, and runs to an answer',
    async (_, names) => {
      const manifest = seedWith(
        seed,
        names.map((name) => use(name)),
      )
      const { problems } = await catalog.read(JSON.stringify(manifest))
      const tools = Array.from({ length: 20 }, (_, index) => aTool(`gadget_${index}`))
      const { result } = await runScript({
        manifest,
        tools,
        script: { plan: ['{"goals":[{"id":"1","text":"Turn gadget 3"}]}'], act: [{ call: 'gadget_3' }, 'turned'] },
        task: 'Turn gadget 3.',
      })

      expect(problems).toEqual([])
      expect(result).toMatchObject({ status: 'answered', answer: 'turned' })
    },
  )
})

test.each([
  ['retrieval', { top: 0 }, '/capability/with/top'],
  ['retrieval', { topp: 8 }, '/capability/with'],
  ['gated', { gates: [{ goal: '', tools: [] }] }, '/capability/with/gates/0/goal'],
  ['sequenced', { order: 'read' }, '/capability/with/order'],
  ['skills', { folders: ['/etc'] }, '/capability/with'],
] as const)('a wrong option is one problem, with its place: %s with %j', async (name, options, pointer) => {
  const { problems } = await catalog.read(JSON.stringify(seedWith('react', use(name, options as never))))

  expect(problems).toHaveLength(1)
  expect(problems[0]?.pointer).toContain(pointer)
})

test('every dialect of the catalog schema offers the modules', () => {
  for (const dialect of ['full', 'openai', 'gbnf'] as const) {
    const text = JSON.stringify(catalog.schema({ dialect }))
    for (const name of NAMES) expect(text).toContain(`@harnesswright/plugin-capabilities#${name}`)
  }
})
