import type { Catalog, Manifest, Use } from '@harnesswright/core'
import type { Slots } from '../rules/modules.js'

/** What a manifest is called and why it is as it is. */
export interface ManifestTitle {
  readonly name: string
  readonly description: string
}

/** Version of a package that is linked from a workspace, which is inside every range. */
const LINKED = '0.0.0-linked'

/** A manifest of these slots, with a range for every package that they name: the installed version and what fits it. */
export function writeManifest(slots: Slots, title: ManifestTitle, catalog: Catalog): Manifest {
  const uses = [slots.memory, slots.planning, slots.capability, slots.action].flat().filter((use) => use !== null)
  const packages = Object.fromEntries(uses.map((use) => rangeOf(use, catalog)))
  return { protocol: 1, ...title, packages, ...slots }
}

/** The package of a module, and the range of its installed version. */
export function rangeOf({ use }: Pick<Use, 'use'>, catalog: Catalog): readonly [name: string, range: string] {
  const found = catalog.find(use)?.package
  const [name = use] = use.split('#', 1)
  if (found === undefined || found.version === LINKED) return [name, '*']
  return [name, `^${found.version}`]
}
