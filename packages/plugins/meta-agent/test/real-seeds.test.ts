import { createEnvironment, type Task } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { compose } from '@harnesswright/plugin-meta-agent'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import { expect, test } from 'vitest'

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', version: '0.1.0', modules: { ...planAndExecute } }),
])

const file = (path: string, bytes: number) => ({ path, bytes })
const files = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, index) => file(`part-${index}.txt`, bytes))

const tasks: readonly [name: string, task: Task, limits: Record<string, number>][] = [
  ['a small one', { instruction: 'Say what is in note.txt.', files: [file('note.txt', 200)] }, {}],
  ['one with much to read', { instruction: 'Read all 4 parts and list what is in them.', files: files(4, 30_000) }, {}],
  [
    'one with many small parts',
    { instruction: 'Compare the 9 offers and write the best to best.json.', files: files(9, 300) },
    {},
  ],
  [
    'one with many large parts',
    { instruction: 'Read all 40 parts and list every fault.', files: files(40, 20_000) },
    {},
  ],
  ['one with a tight budget', { instruction: 'Read all 9 parts.', files: files(9, 900) }, { steps: 4 }],
]

test.each(tasks)('%s gets a manifest that the real seeds take at the first attempt', async (_name, task, limits) => {
  const model = createScriptedModel(['x'], { contextWindow: 32_000 })
  const { route, attempts } = await compose(task, { env: createEnvironment({ model, limits }), catalog })

  expect(route).toBe('rules')
  expect(attempts).toHaveLength(1)
})

test('the tasks above get at least three different manifests', async () => {
  const ids = await Promise.all(
    tasks.map(async ([, task, limits]) => {
      const model = createScriptedModel(['x'], { contextWindow: 32_000 })
      return (await compose(task, { env: createEnvironment({ model, limits }), catalog })).manifestId
    }),
  )

  expect(new Set(ids).size).toBeGreaterThanOrEqual(3)
})
