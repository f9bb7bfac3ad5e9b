import type { JsonObject, ModelInfo } from '@harnesswright/core'
import type { OpenAiModelOptions, RateLimits } from '@harnesswright/plugin-model-openai'
import type { HostLimits } from '../args/parse-limits.js'

/** What is known of a model, which it does not say itself. */
export interface ModelEntry
  extends Pick<ModelInfo, 'contextWindow' | 'maxOutputTokens' | 'price'>,
    RateLimits,
    Pick<OpenAiModelOptions, 'tools' | 'idleMs' | 'connectMs' | 'firstByteMs' | 'reasoning' | 'streamUsage' | 'body'> {
  /** Threads of a model in this process. */
  readonly threads?: number
}

/** What `harnesswright.config.json` may hold. */
export interface Config {
  /** Packages that are on the list beside the direct dependencies of the project. */
  readonly packages: readonly string[]
  readonly defaults: {
    readonly model?: string
    readonly limits: HostLimits
  }
  /** Models of endpoints by `<endpoint>:<model>`, and of this process by `llama:<name or file>`. */
  readonly models: Readonly<Record<string, ModelEntry>>
  /** Host options of modules, by the name under which a manifest names the module. */
  readonly options: Readonly<Record<string, JsonObject>>
  /** Folders that hold skills, each a folder with a SKILL.md; relative to the working directory. */
  readonly skills: readonly string[]
}

/** The configuration of a project that has none. */
export const NO_CONFIG: Config = Object.freeze({
  packages: [],
  defaults: { limits: {} },
  models: {},
  options: {},
  skills: [],
})
