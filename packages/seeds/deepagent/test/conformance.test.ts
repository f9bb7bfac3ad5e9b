import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as deepagent from '@harnesswright/seed-deepagent'
import * as react from '@harnesswright/seed-react'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const { action, capability, memory } = deepagent
const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-deepagent', version: '0.1.0', modules: { ...deepagent } }),
]

describe.each([
  ['action', { module: action }],
  ['action, faithful,', { module: action, options: { faithful: true } }],
  ['action that summarises every result', { module: action, options: { longChars: 500, readChars: 600 } }],
  ['action with several calls in a reply', { module: action, options: { parallel: true } }],
  ['capability', { module: capability }],
  ['capability that offers nothing unasked', { module: capability, options: { openUpTo: 0 } }],
  ['capability, faithful,', { module: capability, options: { openUpTo: 0, faithful: true } }],
  ['memory', { module: memory }],
  ['memory, faithful,', { module: memory, options: { faithful: true } }],
  ['memory without folds', { module: memory, options: { folds: 0 } }],
])('the %s conforms', (_what, subject) => {
  for (const { name, run } of moduleConformance(subject)) test(name, run)
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
