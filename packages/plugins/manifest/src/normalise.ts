import type { Catalog, CodecName, JsonObject, Limits, Manifest, Slot } from '@harnesswright/core'
import { fillDefaults } from './defaults.js'
import { type FoundUse, findModules } from './uses.js'

/** A module with all its options and prompts. */
export interface NormalUse {
  readonly use: string
  readonly with: JsonObject
  readonly prompts: Readonly<Record<string, string>>
}

/** What a manifest means: manifests that differ in writing only have the same normal form. Plugins are without observers. */
export interface NormalManifest extends Readonly<Record<Exclude<Slot, 'plugin'> | 'plugins', readonly NormalUse[]>> {
  readonly protocol: number
  readonly codec: CodecName
  /** The limits that the manifest sets. */
  readonly limits: Partial<Limits>
}

/**
 * The normal form of a valid manifest: defaults filled in, prompts resolved, every slot a list, observers dropped, without
 * what is for people (`$schema`, name, description, metadata) and without ranges.
 *
 * @throws HarnessError `E_MANIFEST_UNKNOWN_MODULE` when a module is not in the catalog.
 */
export function normalise(manifest: Manifest, catalog: Catalog): NormalManifest {
  const acting = actingModules(manifest, catalog)
  const ofSlot = (slot: Slot): NormalUse[] => acting.filter((found) => found.slot === slot).map(normalUse)
  const { perTool = {}, ...limits } = manifest.limits ?? {}
  return {
    protocol: manifest.protocol,
    memory: ofSlot('memory'),
    planning: ofSlot('planning'),
    capability: ofSlot('capability'),
    action: ofSlot('action'),
    plugins: ofSlot('plugin'),
    codec: manifest.codec ?? 'auto',
    limits: Object.keys(perTool).length === 0 ? limits : { ...limits, perTool },
  }
}

/** The modules that take part in what happens. */
export function actingModules(manifest: Manifest, catalog: Catalog): readonly FoundUse[] {
  return findModules(manifest, catalog).filter(
    ({ slot, module }) => slot !== 'plugin' || module.description.observer !== true,
  )
}

function normalUse({ use, module }: FoundUse): NormalUse {
  const { options, prompts } = module.description
  const filled = fillDefaults(use.with ?? {}, options, options) as JsonObject // an object stays one
  return { use: module.use, with: filled, prompts: { ...prompts, ...use.prompts } }
}
