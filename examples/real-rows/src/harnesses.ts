import { assemble, type Environment, type Harness, type Manifest } from '@harnesswright/core'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import planned from '@harnesswright/seed-plan-and-execute/manifest.json' with { type: 'json' }
import * as react from '@harnesswright/seed-react'
import reacting from '@harnesswright/seed-react/manifest.json' with { type: 'json' }

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', modules: { ...planAndExecute } }),
])

const MANIFESTS = { react: reacting, 'plan-and-execute': planned } as const

/** Harnesses that can be compared. */
export type HarnessName = keyof typeof MANIFESTS
export const HARNESSES = Object.keys(MANIFESTS) as readonly HarnessName[]

/** A harness; with `parallel: false` it makes one call in each reply, as small models repeat theirs otherwise. */
export async function makeHarness(name: HarnessName, env: Environment, parallel: boolean): Promise<Harness> {
  const manifest = MANIFESTS[name]
  const action = { ...manifest.action, with: { parallel } }
  return await assemble({ ...manifest, action } as Manifest, { catalog, env })
}
