import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import * as resum from '@harnesswright/seed-resum'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const { memory } = resum
const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', version: '0.1.0', modules: { ...planAndExecute } }),
  definePackage({ name: '@harnesswright/seed-resum', version: '0.1.0', modules: { ...resum } }),
]

describe('memory conforms', () => {
  for (const { name, run } of moduleConformance({ module: memory })) test(name, run)
})

describe('the faithful memory conforms', () => {
  for (const { name, run } of moduleConformance({ module: memory, options: { faithful: true } })) test(name, run)
})

describe('a memory that summarises at every step conforms', () => {
  const options = { budgetTokens: 1_000, trigger: 0.1, keepSteps: 1 }
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
