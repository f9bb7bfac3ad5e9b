import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as memobrain from '@harnesswright/seed-memobrain'
import * as react from '@harnesswright/seed-react'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const { memory } = memobrain
const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-memobrain', version: '0.1.0', modules: { ...memobrain } }),
]

describe('memory conforms', () => {
  for (const { name, run } of moduleConformance({ module: memory })) test(name, run)
})

describe('the faithful memory conforms', () => {
  const options = { faithful: true, budgetTokens: 1_000 }
  for (const { name, run } of moduleConformance({ module: memory, options })) test(name, run)
})

describe('a memory that folds whatever it can conforms', () => {
  const options = { budgetTokens: 1_000, memoriseEvery: 2, keepSteps: 1 }
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
