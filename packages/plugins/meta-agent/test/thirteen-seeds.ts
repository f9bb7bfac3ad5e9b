import { readdirSync, readFileSync } from 'node:fs'
import type { Catalog, Manifest, Module } from '@harnesswright/core'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as agentfold from '@harnesswright/seed-agentfold'
import * as aggagent from '@harnesswright/seed-aggagent'
import * as deepagent from '@harnesswright/seed-deepagent'
import * as flashSearcher from '@harnesswright/seed-flash-searcher'
import * as gam from '@harnesswright/seed-gam'
import * as hiagent from '@harnesswright/seed-hiagent'
import * as memobrain from '@harnesswright/seed-memobrain'
import * as oagent from '@harnesswright/seed-oagent'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import * as recursive from '@harnesswright/seed-recursive'
import * as resum from '@harnesswright/seed-resum'
import * as roma from '@harnesswright/seed-roma'

const MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  agentfold,
  aggagent,
  deepagent,
  'flash-searcher': flashSearcher,
  gam,
  hiagent,
  memobrain,
  oagent,
  'plan-and-execute': planAndExecute,
  react,
  recursive,
  resum,
  roma,
}

const FOLDER = new URL('../../../seeds/', import.meta.url)

/** Packages of which a catalog of all thirteen seeds is made. */
export const seedPackages = readdirSync(FOLDER).map((name) => {
  const exported = Object.entries(MODULES[name] ?? {}).filter(
    ([, one]) => typeof one === 'object' && one !== null && 'slot' in one,
  ) as [string, Module][]
  return definePackage({ name: `@harnesswright/seed-${name}`, version: '0.1.0', modules: Object.fromEntries(exported) })
})

/** A catalog of all thirteen seeds. */
export const allSeeds: Catalog = createCatalog(seedPackages)

/** The manifests as they are published, by scaffold. */
export const seedManifests: Readonly<Record<string, Manifest>> = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [
    name,
    JSON.parse(readFileSync(new URL(`${name}/manifest.json`, FOLDER), 'utf8')) as Manifest,
  ]),
)
