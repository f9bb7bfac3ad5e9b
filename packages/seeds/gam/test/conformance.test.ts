import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as flashSearcher from '@harnesswright/seed-flash-searcher'
import * as gam from '@harnesswright/seed-gam'
import * as react from '@harnesswright/seed-react'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const { memory } = gam
const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-flash-searcher', version: '0.1.0', modules: { ...flashSearcher } }),
  definePackage({ name: '@harnesswright/seed-gam', version: '0.1.0', modules: { ...gam } }),
]

describe('memory conforms', () => {
  for (const { name, run } of moduleConformance({ module: memory })) test(name, run)
})

describe('the faithful memory conforms', () => {
  const options = { faithful: true, keepSteps: 1, researchEvery: 1 }
  for (const { name, run } of moduleConformance({ module: memory, options })) test(name, run)
})

describe('a memory that makes pages of whatever is old conforms', () => {
  const options = { budgetTokens: 1_000, keepSteps: 1, researchEvery: 1 }
  for (const { name, run } of moduleConformance({ module: memory, options })) test(name, run)
})

describe('the seed conforms', () => {
  for (const { name, run } of seedConformance({
    manifest,
    description,
    fromCode: packages[2]?.description,
    catalog: createCatalog(packages),
  } as never))
    test(name, run)
})
