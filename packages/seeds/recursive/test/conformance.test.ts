import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as react from '@harnesswright/seed-react'
import * as recursive from '@harnesswright/seed-recursive'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-recursive', version: '0.1.0', modules: { ...recursive } }),
]

describe('planning conforms', () => {
  for (const { name, run } of moduleConformance({ module: recursive.planning })) test(name, run)
})

describe('the action of an agent that acts conforms', () => {
  for (const { name, run } of moduleConformance({ module: recursive.action, options: { acts: true } })) test(name, run)
})

// An orchestrator makes no calls of tools, which the other rules for actions are about.
describe('the action of an orchestrator conforms', () => {
  for (const { name, run } of moduleConformance({ module: recursive.action }))
    if (/^(?:MOD|ACT-[234])/.test(name)) test(name, run)
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
