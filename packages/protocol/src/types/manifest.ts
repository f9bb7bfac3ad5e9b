import type { Json } from './json.js'
import type { Limits } from './limits.js'

/** The four slots of a harness h = (M, P, F, A), and plugins. */
export type Slot = 'memory' | 'planning' | 'capability' | 'action' | 'plugin'

/** How requests and replies are written on the wire. */
export type CodecName = 'auto' | 'native' | 'json' | 'marker'

/** One module of a manifest. */
export interface Use {
  /** Full package name and the export after `#`: `@harnesswright/seed-react#memory`. */
  readonly use: string
  /** The module's options. */
  readonly with?: { readonly [option: string]: Json }
  /** Prompts that replace the module's own, by name. */
  readonly prompts?: Readonly<Record<string, string>>
}

/**
 * One harness as JSON. All four slots are named: `null` says none for memory (the whole history), planning (an empty
 * directive) and capability (all tools).
 *
 * @see arXiv 2608.25593, h = (M, P, F, A)
 */
export interface Manifest {
  readonly $schema?: string
  readonly protocol: 1
  readonly name: string
  readonly description?: string
  /** A range for every package that is named. */
  readonly packages: Readonly<Record<string, string>>
  readonly memory: Use | readonly Use[] | null
  readonly planning: Use | null
  readonly capability: Use | readonly Use[] | null
  readonly action: Use
  readonly plugins?: readonly Use[]
  readonly codec?: CodecName
  readonly limits?: Partial<Limits>
  readonly metadata?: { readonly [key: string]: Json }
}

/** Where a manifest comes from. It can only become less trusted. */
export type Origin = 'host' | 'person' | 'model' | 'bank' | 'remote'

/** What a package can reach beyond its state and the model. */
export type Authority = 'none' | 'workspace' | 'network' | 'process'

/** What a module says of itself, as JSON. */
export interface ModuleDescription {
  readonly slot: Slot
  readonly summary: string
  /** JSON Schema of the options that a manifest may set. */
  readonly options: { readonly [key: string]: Json }
  /** Names of options that only the host may set. */
  readonly host?: readonly string[]
  /** The module's prompts by name. */
  readonly prompts: Readonly<Record<string, string>>
  readonly requires: readonly string[]
  readonly provides: readonly string[]
  /** Takes no part in what happens: left out of the manifest's identity. */
  readonly observer?: boolean
  /** Narrows the tool list from step to step, which costs the prompt cache. */
  readonly breaksPrefix?: boolean
}

/** `harnesswright.json`: what a package says of itself, read without importing it. */
export interface PackageDescription {
  readonly name: string
  readonly protocol: number
  readonly authority: Authority
  readonly modules: Readonly<Record<string, ModuleDescription>>
}
