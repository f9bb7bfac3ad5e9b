import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as hiagent from '@harnesswright/seed-hiagent'
import * as react from '@harnesswright/seed-react'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const { memory } = hiagent
const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-hiagent', version: '0.1.0', modules: { ...hiagent } }),
]

describe('memory conforms', () => {
  for (const { name, run } of moduleConformance({ module: memory })) test(name, run)
})

describe('the faithful memory conforms', () => {
  const options = { faithful: true, maxSteps: 2 }
  for (const { name, run } of moduleConformance({ module: memory, options })) test(name, run)
})

describe('a memory that summarises whatever is over conforms', () => {
  const options = { budgetTokens: 1_000, leastTokens: 0 }
  for (const { name, run } of moduleConformance({ module: memory, options })) test(name, run)
})

describe('the seed conforms', () => {
  for (const { name, run } of seedConformance({
    manifest,
    description,
    fromCode: packages[1]?.description,
    catalog: createCatalog(packages),
  } as never))
    test(name, run)
})
