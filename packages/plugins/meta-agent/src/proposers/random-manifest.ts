import type { Authority, Catalog, CatalogModule, Json, Manifest, Random, Use } from '@harnesswright/core'
import type { Slots } from '../rules/modules.js'
import { changedManifest } from './changed-manifest.js'
import { isWhole } from './mutations.js'
import { optionChoices } from './option-choices.js'

/** Draws before it is given up: a catalog may have modules of which none goes with another. */
const MOST_DRAWS = 100

/**
 * A manifest drawn at random: in each slot one of the modules or none, each option at its default or one of its usual values. A
 * control: what is found by chance. Plugins, codec and limits are those of a manifest at hand.
 *
 * @returns undefined where none was whole.
 */
export function randomManifest(
  base: Manifest,
  { catalog, random, granted = ['none', 'workspace'] }: RandomManifestOptions,
): Manifest | undefined {
  const modulesOf = (slot: keyof Slots): readonly CatalogModule[] =>
    catalog.modules(slot).filter(({ package: from, description }) => {
      return granted.includes(from.description.authority) && description.observer !== true
    })
  for (let draw = 0; draw < MOST_DRAWS; draw += 1) {
    const slots = {
      memory: drawUse([undefined, ...modulesOf('memory')], random),
      planning: drawUse([undefined, ...modulesOf('planning')], random),
      capability: drawUse([undefined, ...modulesOf('capability')], random),
      action: drawUse(modulesOf('action'), random),
    }
    if (slots.action === null) return undefined
    const whole: Slots = { ...slots, action: slots.action }
    const title = { name: 'random', change: 'drawn at random', operator: 'random', parents: [] } as const
    if (isWhole(whole, catalog)) return changedManifest(base, whole, title, catalog)
  }
  return undefined
}

/** What manifests are drawn from. */
export interface RandomManifestOptions {
  readonly catalog: Catalog
  readonly random: Random
  /** Authorities of packages that may come in. Default `none` and `workspace`. */
  readonly granted?: readonly Authority[]
}

function drawUse(modules: readonly (CatalogModule | undefined)[], random: Random): Use | null {
  const module = modules[Math.floor(random.next() * modules.length)]
  if (module === undefined) return null
  const options = optionChoices(module).flatMap(({ name, values, default: usual }): readonly [string, Json][] => {
    const [isUsual, at] = [random.next() < 0.5, random.next()]
    const value = values[Math.floor(at * values.length)] as Json // there are two at least
    return isUsual || value === usual ? [] : [[name, value]]
  })
  return options.length === 0 ? { use: module.use } : { use: module.use, with: Object.fromEntries(options) }
}
