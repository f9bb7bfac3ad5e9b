import type { Catalog, Json, Manifest } from '@harnesswright/core'
import type { Slots } from '../rules/modules.js'
import { writeManifest } from './write-manifest.js'

/** What was done to a manifest, and by whom. */
export interface ChangeTitle {
  readonly name: string
  /** In a few words, such as `memory: + @harnesswright/seed-gam#memory`. */
  readonly change: string
  readonly operator: 'mutate' | 'crossover' | 'random'
  /** Names of the manifests that it comes from. */
  readonly parents: readonly string[]
}

/** A manifest with other slots. Plugins, codec and limits stay; ranges are those of the packages that are named now. */
export function changedManifest(parent: Manifest, slots: Slots, title: ChangeTitle, catalog: Catalog): Manifest {
  const { name, change, operator, parents } = title
  const { packages, ...written } = writeManifest(slots, { name, description: change }, catalog)
  const { plugins, codec, limits } = parent
  const ofPlugins = (plugins ?? []).map(({ use }) => use.split('#', 1)[0] as string) // a text has a first part
  const kept = Object.entries(parent.packages).filter(([one]) => ofPlugins.includes(one))
  const metadata: Record<string, Json> = { operator, parents, change }
  return {
    ...written,
    packages: { ...Object.fromEntries(kept), ...packages },
    ...(plugins === undefined ? {} : { plugins }),
    ...(codec === undefined ? {} : { codec }),
    ...(limits === undefined ? {} : { limits }),
    metadata,
  }
}
