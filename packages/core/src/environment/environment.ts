import type {
  ArtifactStore,
  Clock,
  Codec,
  HarnessEvent,
  Journal,
  Json,
  JsonObject,
  Limits,
  Model,
  ModelInfo,
  Question,
  Random,
  Skill,
  Tool,
  Workspaces,
} from '@harnesswright/protocol'
import type { Module } from '../module/module.js'

/** A plugin that the host applies to every harness, whatever its manifest says. */
export interface RequiredPlugin {
  /** Name for errors and records. */
  readonly use: string
  readonly module: Module
  readonly with?: JsonObject
}

/** Everything core may touch. Made by `createEnvironment`, which fills in the defaults. */
export interface Environment {
  /** The model of that id, or the default. Throws `E_MODEL_UNKNOWN`. */
  model(id?: string): Model
  /** What is known of every model. */
  models(): readonly ModelInfo[]
  readonly tools: readonly Tool[]
  readonly skills: readonly Skill[]
  readonly clock: Clock
  /** A stream that depends on the seed alone. */
  readonly random: (seed: number) => Random
  /** An id that no other run has. It never enters a trace. */
  readonly newId: () => string
  /** Tokens of a text. Absent: UTF-8 bytes are counted. */
  readonly countTokens?: (text: string, model: string) => number
  readonly workspaces?: Workspaces
  /** Id of the workspace of the root run. */
  readonly workspace?: string
  /** Codecs beside the native one, which is built in. Default: none. */
  readonly codecs: readonly Codec[]
  readonly artifacts: ArtifactStore
  /** Default: none; `run.snapshot()` is there all the same. */
  readonly journal?: Journal
  /** Plugins of every harness, before all others. If one cannot be applied, no run starts. Default: none. */
  readonly required?: readonly RequiredPlugin[]
  /** The host's limits, which no manifest can raise. */
  readonly limits: Limits
  /** `strict`: every request reserves its UTF-8 bytes as tokens, however few tokens the model reports. */
  readonly budget?: 'strict'
  /** Texts that never reach observations, errors, events or records. */
  readonly secrets: readonly string[]
  /** Host options by the name of the module that takes them, as a manifest names it. */
  readonly hostOptions: Readonly<Record<string, JsonObject>>
  /** Refuse what would otherwise be healed, and freeze what is handed out. */
  readonly strict: boolean
  /** Asks a person; undefined says that the answer comes later. Absent or later: the run ends as `waiting`. */
  readonly ask?: (question: Question) => Promise<Json | undefined>
  /** Called with every event of every run. What it throws is reported as a warning, once. */
  readonly observe?: (event: HarnessEvent) => void
}
