import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as agentfold from '@harnesswright/seed-agentfold'
import * as flashSearcher from '@harnesswright/seed-flash-searcher'
import * as react from '@harnesswright/seed-react'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const { memory } = agentfold
const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-flash-searcher', version: '0.1.0', modules: { ...flashSearcher } }),
  definePackage({ name: '@harnesswright/seed-agentfold', version: '0.1.0', modules: { ...agentfold } }),
]

describe('memory conforms', () => {
  for (const { name, run } of moduleConformance({ module: memory })) test(name, run)
})

describe('the faithful memory conforms', () => {
  for (const { name, run } of moduleConformance({ module: memory, options: { faithful: true } })) test(name, run)
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
