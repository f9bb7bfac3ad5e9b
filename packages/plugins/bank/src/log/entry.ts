import type { Json } from '@harnesswright/core'
import type { RewardKind } from '../rule/race.js'

/** Version of the entries that this program writes, and the highest that it reads. */
export const LOG_VERSION = 1

/** What every entry of the log has. */
export interface EntryBase {
  /** Version of its schema. */
  readonly v: number
  /** Identity: an entry of a kind and an id that is there already changes nothing, or replaces an older one. */
  readonly id: string
  /** When it was written, or what it says happened, in ms since 1970. */
  readonly at: number
}

/**
 * Where harnesses are compared: one kind of task, one version of a model, one price table, one protocol. Evidence of one cell
 * says nothing of another.
 */
export interface Cell {
  readonly clusterId: string
  /** The model with its version. */
  readonly backbone: string
  /** Version of the prices by which costs were reckoned. */
  readonly priceTable: string
  /** Version of the protocol of harnesses. */
  readonly protocol: number
}

/** How far a harness has come. */
export type HarnessStatus = 'candidate' | 'confirmed' | 'champion' | 'retired' | 'quarantined'

/** How a harness came to be. */
export type HarnessOperator = 'seed' | 'generate' | 'repair' | 'mutate' | 'crossover'

/** A harness; its `id` is the harness id. A later entry of the same id replaces it. */
export interface HarnessEntry extends EntryBase {
  readonly kind: 'harness'
  readonly name: string
  /** The manifest, as it runs. */
  readonly manifest: Json
  /** What it is and when to use it: searched when a task asks for references. */
  readonly card: string
  readonly status: HarnessStatus
  readonly operator: HarnessOperator
  /** Who made it: a proposer, a person, a package. */
  readonly createdBy: string
  readonly parentIds: readonly string[]
  /** Harnesses that were shown to who composed it. */
  readonly referenceIds: readonly string[]
  /** Of the prompt that made it. */
  readonly promptHash: string | null
  /** The model that made it. */
  readonly model: string | null
  readonly catalogueVersion: string | null
  /** What it was predicted to come to. */
  readonly predicted: Json
}

/** What one run of a harness came to; its `at` is when the run began. */
export interface EvaluationEntry extends EntryBase, Cell {
  readonly kind: 'evaluation'
  readonly harnessId: string
  readonly taskId: string
  /** Random seed of the run. */
  readonly seed: number
  /** Limits of the run. */
  readonly budget: Json
  /** From 0 to 1; null exactly where it is masked. */
  readonly reward: number | null
  readonly rewardKind: RewardKind
  /** The run failed for no fault of the harness: it is no reward of 0, and in no mean. */
  readonly masked: boolean
  /** Code of the failure, where there was one. */
  readonly failureKind: string | null
  readonly ms: number | null
  readonly usd: number | null
  readonly inputTokens: number | null
  readonly cachedTokens: number | null
  readonly outputTokens: number | null
  readonly steps: number
  readonly repairs: number
  /** Where its trace is. */
  readonly traceRef: string | null
}

/** What was decided of a harness in a cell, with the numbers of it. */
export interface DecisionEntry extends EntryBase, Cell {
  readonly kind: 'decision'
  readonly rule: string
  readonly ruleVersion: number
  readonly verdict: string
  /** In words. */
  readonly reason: string
  readonly challengerId: string
  readonly championId: string | null
  readonly anchorId: string | null
  readonly numbers: Json
}

/** Who is the champion, or the anchor, of a cell from `at` on. The latest counts. */
export interface HolderEntry extends EntryBase, Cell {
  readonly kind: 'champion' | 'anchor'
  readonly harnessId: string
  /** The decision it rests on; null for the first of a cell. */
  readonly evidenceId: string | null
}

/** A kind of task. A later version of the same id replaces it. */
export interface ClusterEntry extends EntryBase {
  readonly kind: 'cluster'
  readonly version: number
  readonly name: string
  /** Features of its tasks: of the first one, until it is drawn anew. */
  readonly features: TaskRecord
  /** Tasks that stand for it. */
  readonly exemplars: readonly Exemplar[]
}

/** Features of a task: numbers, yes or no, names. What is unknown is null. */
export type TaskRecord = Readonly<Record<string, number | boolean | string | null>>

/** A task that stands for its cluster. */
export interface Exemplar {
  readonly taskId: string
  readonly text: string
}

/** An entry of the log. */
export type Entry = HarnessEntry | EvaluationEntry | DecisionEntry | HolderEntry | ClusterEntry

/** Names of the kinds of entries. */
export type EntryKind = Entry['kind']
