import { HarnessError } from '../errors/error.js'
import type { JsonSchema, ModuleDescription, PackageDescription, Slot } from '../protocol/index.js'
import { LINKED } from './check-packages.js'
import { describePackage, type PackageSpec } from './describe.js'
import { nearestNames } from './nearest.js'
import { manifestSchema } from './schema.js'

/** An installed package: what it says of itself, and how to get at its code. */
export interface CatalogPackage {
  readonly description: PackageDescription
  /** Exact version. `0.0.0-linked`, of packages of a workspace, is inside every range. */
  readonly version: string
  /** `sha256:` and the hash of the packed files, or of the sources of a linked package. */
  readonly integrity: string
  /** Imports the package; gives its exports. Called for a run that needs it, and never to validate, identify or describe. */
  load(): Promise<Readonly<Record<string, unknown>>>
}

/** A module that a manifest may name. */
export interface CatalogModule {
  /** `<package>#<export>`, or the package alone for its export `default`. */
  readonly use: string
  readonly slot: Slot
  /** Name of the export. */
  readonly export: string
  readonly package: CatalogPackage
  readonly description: ModuleDescription
}

/** The packages on the host's list, and their modules. */
export interface Catalog {
  readonly packages: readonly CatalogPackage[]
  /** Modules, of one slot or of all, in the order of packages and of their descriptions. */
  modules(slot?: Slot): readonly CatalogModule[]
  /** The module that a manifest names, written exactly so. */
  find(use: string): CatalogModule | undefined
  /** The three names most like a given one, of one slot or of all. */
  nearest(use: string, slot?: Slot): readonly string[]
  /** JSON Schema of the manifests that can be written with these modules. `full` is draft 2020-12, for ajv, editors and docs. */
  schema(options: { readonly dialect: 'full' }): JsonSchema
}

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
  return Object.freeze({
    packages: Object.freeze([...packages]),
    modules,
    find: (use: string) => byUse.get(use),
    nearest: (use: string, slot?: Slot) => nearestNames(use, namesOf(slot)),
    schema: () => manifestSchema(modules),
  })
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
