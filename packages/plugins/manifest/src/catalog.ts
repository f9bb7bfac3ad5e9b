import type {
  Catalog,
  CatalogModule,
  CatalogPackage,
  Manifest,
  ReadOptions,
  ResolveOptions,
  Slot,
} from '@harnesswright/core'
import { HarnessError, nearestNames, problemsError } from '@harnesswright/core'
import { LINKED } from './check-packages.js'
import { describePackage, type PackageSpec } from './describe.js'
import { createDialect } from './dialect/dialect.js'
import { fit } from './fit.js'
import { harnessIdOf, manifestIdOf } from './identity.js'
import { resolve } from './resolve.js'
import { manifestSchema } from './schema.js'
import { readManifest } from './validate.js'

type SchemaOptions = Parameters<Catalog['schema']>[0]

/**
 * A catalog of packages. Nothing is imported: it reads descriptions.
 *
 * @throws HarnessError `E_ENV_INVALID` when two packages have one name.
 */
export function createCatalog(packages: readonly CatalogPackage[]): Catalog {
  const names = packages.map(({ description }) => description.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    const message = `The catalog has two packages named "${twice}".`
    throw new HarnessError('E_ENV_INVALID', { message, hint: 'Register each package once.' })
  }
  const all = packages.flatMap(listModules)
  const byUse = new Map(all.map((module) => [module.use, module]))
  const modules = (slot?: Slot): CatalogModule[] => all.filter((one) => slot === undefined || one.slot === slot)
  const namesOf = (slot?: Slot): string[] => modules(slot).map(({ use }) => use)
  const catalog: Catalog = Object.freeze({
    packages: Object.freeze([...packages]),
    modules,
    find: (use: string) => byUse.get(use),
    nearest: (use: string, slot?: Slot) => nearestNames(use, namesOf(slot)),
    schema: ({ dialect }: SchemaOptions) =>
      dialect === 'full' ? manifestSchema(modules) : createDialect(catalog, { dialect }).schema,
    read: (text: string, options: ReadOptions = {}) => readManifest(text, { ...options, catalog }),
    resolve: async (manifest: Manifest, { hostOptions, model, codecs = [] }: ResolveOptions) => {
      const mounts = await resolve(manifest, catalog, { hostOptions })
      const misfits = fit(mounts, { model, codec: manifest.codec ?? 'auto', codecs, catalog })
      if (misfits.length > 0) throw problemsError(misfits)
      return mounts
    },
    identify: async (manifest: Manifest) => ({
      manifestId: await manifestIdOf(manifest, catalog),
      harnessId: await harnessIdOf(manifest, catalog),
    }),
  })
  return catalog
}

function listModules(from: CatalogPackage): CatalogModule[] {
  const { name, modules } = from.description
  return Object.entries(modules).map(([key, description]) => {
    const use = key === 'default' ? name : `${name}#${key}`
    return { use, slot: description.slot, export: key, package: from, description }
  })
}

/** A package that exists in memory only: of a test, or of a host's own program. */
export interface MemoryPackage extends PackageSpec {
  /** Default `0.0.0-linked`, which is inside every range. */
  readonly version?: string
  /** `sha256:` and a hash of the code, if the host has one. Default `none`: the version alone then stands for the code. */
  readonly integrity?: string
}

/**
 * A package for a catalog from modules at hand.
 *
 * @throws HarnessError `E_PROTOCOL_MODULE` as `describePackage` does.
 */
export function definePackage(spec: MemoryPackage): CatalogPackage {
  const { version = LINKED, integrity = 'none', modules } = spec
  return Object.freeze({ description: describePackage(spec), version, integrity, load: async () => modules })
}
