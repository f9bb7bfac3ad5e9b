import type {
  HarnessEvent,
  JournalEntry,
  Json,
  JsonObject,
  Limits,
  Model,
  ModelInfo,
  Question,
  Skill,
  Tool,
} from '@harnesswright/protocol'
import type { Module } from '../module/module.js'

/** Time. A virtual clock (testkit) makes simulated time exact. */
export interface Clock {
  /** Milliseconds since the clock's origin. */
  now(): number
  /** Lets time pass; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Brackets real work that takes no simulated time: a virtual clock stands still until it is done. */
  during<T>(work: Promise<T>): Promise<T>
}

/** A stream of numbers, uniform in [0, 1). */
export interface Random {
  /** The next number of the stream. */
  next(): number
}

/** A conflict that a merge of workspaces found. */
export interface MergeConflict {
  readonly path: string
  readonly reason: string
}

/** Workspaces by id, so that child runs can have their own. */
export interface Workspaces {
  /** Copies workspace `id` under the new id `as`. */
  fork(id: string, as: string): Promise<void>
  /** Brings what `id` changed since its fork into `into`. A path that both changed is a conflict, and stays as `into` has it. */
  merge(id: string, into: string): Promise<readonly MergeConflict[]>
  /** Makes `into` equal to `id`. */
  commit(id: string, into: string): Promise<void>
  /** Deletes workspace `id`. */
  discard(id: string): Promise<void>
}

/** Values kept for a whole tree of runs. */
export interface ArtifactStore {
  /** Keeps a value under an id. */
  put(id: string, value: Json): void
  /** The value of an id, if there is one. */
  get(id: string): Json | undefined
}

/** Where what is durable is written, so that a run can go on after a crash. `@harnesswright/core/node` has one in a file. */
export interface Journal {
  /** Keeps an entry; it is durable when the promise resolves. Entries are kept in the order of the calls. */
  append(entry: JournalEntry): Promise<void> | void
}

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
  /** Asks a person. Absent: a run that must ask ends as `waiting`. */
  readonly ask?: (question: Question) => Promise<Json>
  /** Called with every event of every run. What it throws is reported as a warning, once. */
  readonly observe?: (event: HarnessEvent) => void
}
