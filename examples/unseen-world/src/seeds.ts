import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Catalog, Manifest } from '@harnesswright/core'
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

const MODULES = {
  agentfold: { ...agentfold },
  aggagent: { ...aggagent },
  deepagent: { ...deepagent },
  'flash-searcher': { ...flashSearcher },
  gam: { ...gam },
  hiagent: { ...hiagent },
  memobrain: { ...memobrain },
  oagent: { ...oagent },
  'plan-and-execute': { ...planAndExecute },
  react: { ...react },
  recursive: { ...recursive },
  resum: { ...resum },
  roma: { ...roma },
}

const { resolve } = createRequire(import.meta.url)

/** Names of the thirteen seeds. */
export const SEEDS: readonly string[] = Object.keys(MODULES)

/** The modules of all of them. */
export const seedCatalog: Catalog = createCatalog(
  Object.entries(MODULES).map(([seed, modules]) =>
    definePackage({ name: `@harnesswright/seed-${seed}`, version: '0.1.0', modules }),
  ),
)

/** The manifest that a seed ships. */
export function seedManifest(seed: string): Manifest {
  if (!SEEDS.includes(seed)) throw new Error(`there is no seed "${seed}"; use some of ${SEEDS.join(', ')}`)
  return JSON.parse(readFileSync(resolve(`@harnesswright/seed-${seed}/manifest.json`), 'utf8')) as Manifest
}
