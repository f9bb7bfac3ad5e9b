import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as react from '@harnesswright/seed-react'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const packages = [definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } })]

describe.each(Object.entries(react))('%s conforms', (_name, module) => {
  for (const { name, run } of moduleConformance({ module })) test(name, run)
})

describe('the faithful memory conforms', () => {
  for (const { name, run } of moduleConformance({ module: react.memory, options: { faithful: true } })) test(name, run)
})

describe('the seed conforms', () => {
  for (const { name, run } of seedConformance({
    manifest,
    description,
    fromCode: packages[0]?.description,
    catalog: createCatalog(packages),
  } as never))
    test(name, run)
})
