import type { JsonObject, ModelInfo } from '@harnesswright/core'
import type { OpenAiModelOptions, RateLimits } from '@harnesswright/plugin-model-openai'
import type { HostLimits } from '../args/parse-limits.js'

/** What is known of a model of an endpoint, which the endpoint itself does not say. */
export interface ModelEntry
  extends Pick<ModelInfo, 'contextWindow' | 'maxOutputTokens' | 'price'>,
    RateLimits,
    Pick<OpenAiModelOptions, 'idleMs' | 'connectMs' | 'firstByteMs' | 'reasoning' | 'streamUsage' | 'body'> {}

/** What `harnesswright.config.json` may hold. */
export interface Config {
  /** Packages that are on the list beside the direct dependencies of the project. */
  readonly packages: readonly string[]
  readonly defaults: {
    readonly model?: string
    readonly limits: HostLimits
  }
  /** Models of endpoints, by `<endpoint>:<model>`. */
  readonly models: Readonly<Record<string, ModelEntry>>
  /** Host options of modules, by the name under which a manifest names the module. */
  readonly options: Readonly<Record<string, JsonObject>>
}

/** The configuration of a project that has none. */
export const NO_CONFIG: Config = Object.freeze({ packages: [], defaults: { limits: {} }, models: {}, options: {} })
