import type { JsonObject } from '@harnesswright/core'
import type { HostLimits } from '../args/parse-limits.js'

/** What `harnesswright.config.json` may hold. */
export interface Config {
  /** Packages that are on the list beside the direct dependencies of the project. */
  readonly packages: readonly string[]
  readonly defaults: {
    readonly model?: string
    readonly limits: HostLimits
  }
  /** Host options of modules, by the name under which a manifest names the module. */
  readonly options: Readonly<Record<string, JsonObject>>
}

/** The configuration of a project that has none. */
export const NO_CONFIG: Config = Object.freeze({ packages: [], defaults: { limits: {} }, options: {} })
