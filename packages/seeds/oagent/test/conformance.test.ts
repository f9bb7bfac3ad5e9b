import { moduleConformance, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as oagent from '@harnesswright/seed-oagent'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import { describe, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const packages = [
  definePackage({ name: '@harnesswright/seed-oagent', version: '0.1.0', modules: { ...oagent } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', version: '0.1.0', modules: { ...planAndExecute } }),
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
]

describe.each([{ experts: 0 }, { experts: 0, faithful: true }])('the action with %o conforms', (options) => {
  for (const { name, run } of moduleConformance({ module: oagent.action, options })) test(name, run)
})

// The other rules for actions are about calls of tools of the environment, which a critic does not make; MOD-5 is about runs that
// need more than three steps, which these do not.
describe.each([
  [{ planners: 0 }, /^(?:MOD-[1-4]|ACT-5)/],
  [{ planners: 3 }, /^ACT-2/],
])('the action with experts and %o conforms', (options, rules) => {
  for (const { name, run } of moduleConformance({ module: oagent.action, options }))
    if (rules.test(name)) test(name, run, 20_000)
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
