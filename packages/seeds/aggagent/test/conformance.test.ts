import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as aggagent from '@harnesswright/seed-aggagent'
import * as react from '@harnesswright/seed-react'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const packages = [
  definePackage({ name: '@harnesswright/seed-aggagent', version: '0.1.0', modules: { ...aggagent } }),
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
]

describe.each([{ rollouts: 0 }, { rollouts: 0, faithful: true }])('the action with %o conforms', (options) => {
  for (const { name, run } of moduleConformance({ module: aggagent.action, options })) test(name, run)
})

// The other rules for actions are about calls of tools of the environment, which an aggregator does not make.
describe('the action with rollouts conforms', () => {
  for (const { name, run } of moduleConformance({ module: aggagent.action }))
    if (/^(?:MOD|ACT-[25])/.test(name)) test(name, run, 20_000)
})

describe('the seed conforms', () => {
  for (const { name, run } of seedConformance({
    manifest,
    description,
    fromCode: packages[0]?.description,
    catalog: createCatalog(packages),
  } as never))
    test(name, run, 60_000)
})
