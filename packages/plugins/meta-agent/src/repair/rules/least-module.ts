import type { Authority, Catalog, CatalogModule, Origin, Slot } from '@harnesswright/core'
import { placedModules } from '../../check/problem.js'
import { SEEDS } from '../../rules/modules.js'

/** What a module is chosen from. */
export interface ModuleChoice {
  readonly catalog: Catalog
  readonly manifest: unknown
  readonly origin: Origin
  readonly granted: readonly Authority[] | undefined
}

/** A module that can stand for another without doubt: that of the seed react, else the first that needs nothing. */
export function leastModule(
  slot: Slot,
  choice: ModuleChoice,
  except: readonly string[] = [],
): { readonly use: string } | undefined {
  const free = usable(slot, choice).filter((one) => !except.includes(one.use) && isFree(one, choice))
  const seed = slot === 'plugin' ? undefined : SEEDS.react[slot].use
  const found = free.find(({ use }) => use === seed) ?? free[0]
  return found === undefined ? undefined : { use: found.use }
}

/** The modules of a slot that a manifest of this origin may name. */
export function usable(
  slot: Slot,
  { catalog, origin, granted = ['none', 'workspace'] }: ModuleChoice,
): readonly CatalogModule[] {
  const isTrusted = origin === 'host' || origin === 'person'
  return catalog.modules(slot).filter((one) => isTrusted || granted.includes(one.package.description.authority))
}

/** True for a module that has no option to set, and needs nothing that is not there. */
function isFree({ description }: CatalogModule, { catalog, manifest }: ModuleChoice): boolean {
  const provided = placedModules(manifest).flatMap(({ use }) => catalog.find(use)?.description.provides ?? [])
  return (
    description.options['required'] === undefined && description.requires.every((label) => provided.includes(label))
  )
}
