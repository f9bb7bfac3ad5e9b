import type {
  Authority,
  JsonObject,
  JsonSchema,
  Manifest,
  ModelInfo,
  ModuleDescription,
  Origin,
  PackageDescription,
  Problem,
  Slot,
} from '@harnesswright/protocol'
import type { Mount } from '../assemble/mount.js'

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
  schema(options: { readonly dialect: 'full' | 'openai' | 'gbnf' }): JsonSchema
  /** Parses and validates the text of a manifest: every problem at once. Nothing is imported. */
  read(text: string, options?: ReadOptions): Promise<CheckedManifest>
  /**
   * Loads the modules of a valid manifest in the order in which they tap, and makes sure that they fit one another and the
   * model.
   *
   * @throws HarnessError `E_PROTOCOL_*`, `E_MANIFEST_*` or `E_ENV_INVALID`.
   */
  resolve(manifest: Manifest, options: ResolveOptions): Promise<readonly Mount[]>
  /** The identities of a valid manifest. */
  identify(manifest: Manifest): Promise<{ readonly manifestId: string; readonly harnessId: string }>
}

/** What modules are loaded for. */
export interface ResolveOptions {
  /** Host options of the environment, by the name of the module that takes them. */
  readonly hostOptions: Readonly<Record<string, JsonObject>>
  /** The model of the run. */
  readonly model: ModelInfo
  /** Names of the codecs beside `native` that the environment has. Default: none. */
  readonly codecs?: readonly string[]
}

/** Where a manifest comes from, and what it may therefore name. */
export interface ReadOptions {
  /** Default `person`. */
  readonly origin?: Origin
  /** Authorities that modules of a manifest of origin `model`, `bank` or `remote` may have. Default `none` and `workspace`. */
  readonly granted?: readonly Authority[]
}

/** A manifest that was read and validated, or what is wrong with it. */
export interface CheckedManifest {
  readonly manifest?: Manifest
  readonly problems: readonly Problem[]
}
