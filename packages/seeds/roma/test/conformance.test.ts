import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as react from '@harnesswright/seed-react'
import * as roma from '@harnesswright/seed-roma'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-roma', version: '0.1.0', modules: { ...roma } }),
]

describe('the action that divides nothing conforms', () => {
  for (const { name, run } of moduleConformance({ module: roma.action, options: { maxDepth: 0 } })) test(name, run)
})

// The first reply, which the rule ACT-4 makes unreadable, is the one on whether the task is atomic.
describe.each([{}, { faithful: true }])('the action with %o conforms', (options) => {
  for (const { name, run } of moduleConformance({ module: roma.action, options }))
    if (!name.startsWith('ACT-4')) test(name, run)
})

describe('the seed conforms', () => {
  for (const { name, run } of seedConformance({
    manifest,
    description,
    fromCode: packages[1]?.description,
    catalog: createCatalog(packages),
  } as never))
    test(name, run, 60_000)
})
