import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as flashSearcher from '@harnesswright/seed-flash-searcher'
import * as react from '@harnesswright/seed-react'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const { planning } = flashSearcher
const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-flash-searcher', version: '0.1.0', modules: { ...flashSearcher } }),
]

describe('planning conforms', () => {
  for (const { name, run } of moduleConformance({ module: planning })) test(name, run)
})

describe('the faithful planning conforms', () => {
  for (const { name, run } of moduleConformance({ module: planning, options: { faithful: true } })) test(name, run)
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
