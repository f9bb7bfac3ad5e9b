import type { Json, Manifest } from '@harnesswright/core'
import { seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { planning } from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import { expect, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const packages = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', version: '0.1.0', modules: { planning } }),
]
type Options = Readonly<Record<string, Json>>

test.each([
  [{ memory: {}, planning: {} }],
  [{ memory: {}, planning: { reviewEvery: 2 } }],
  [{ memory: { faithful: true }, planning: { reviewEvery: 2, faithful: true } }],
  [{ memory: { fill: 0.1 }, planning: { reviewEvery: 3, maxGoals: 2 } }],
])(
  'the seed goes on from every point at which something was durable, as if nothing had happened: with %j',
  { timeout: 60_000 },
  async (options: { readonly memory: Options; readonly planning: Options }) => {
    const changed = {
      ...manifest,
      memory: { ...manifest.memory, with: options.memory },
      planning: { ...manifest.planning, with: options.planning },
    } as Manifest
    const [, own] = packages
    const cases = seedConformance({
      manifest: changed,
      description,
      fromCode: own?.description,
      catalog: createCatalog(packages),
    } as never)
    const [law] = cases.filter(({ name }) => name.startsWith('SEED-5'))
    expect(law).toBeDefined()
    await law?.run()
  },
)
