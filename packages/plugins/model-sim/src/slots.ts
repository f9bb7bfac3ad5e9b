import type { WantedCall } from './options.js'
import type { Goal } from './reader.js'

/** One item of a plan, as it is written and as it is meant. */
export interface PlanItem {
  readonly id: string
  /** The wording of its goals. */
  readonly text: string
  readonly goals: readonly Goal[]
  /** Ids of the items that come before it. */
  readonly dependsOn: readonly string[]
  readonly status: 'open' | 'active' | 'done'
  /** What is handed over with it, in fact sentences. */
  readonly context?: string
  /** What a node of a memory is. */
  readonly kind?: 'subtask' | 'evidence'
  /** The step that it is on. */
  readonly step?: number
}

/** A summary, part by part. */
export interface SummaryParts {
  readonly task: string
  /** All facts in one sentence. */
  readonly told: string
  readonly facts: readonly string[]
  /** What is open, in one sentence. */
  readonly open: string
  /** The next goals, one an entry. */
  readonly next: readonly string[]
  readonly troubles: readonly string[]
  readonly tools: readonly { readonly name: string; readonly times: number }[]
}

/** A stretch of steps to be replaced by a text. */
export interface FoldRange {
  readonly first: number
  readonly last: number
  readonly text: string
}

/** What is thought of candidates. */
export interface Verdict {
  /** Number of the best one. */
  readonly best: number
  /** Number and score of each, in the order in which they stand. */
  readonly scores: readonly (readonly [number: number, score: number])[]
}

/** What the model has to say, for the properties of a schema to be filled with. */
export interface Slots {
  /** The whole of it as text. */
  readonly text: string
  /** What is answered; empty where nothing is. */
  readonly answer: string
  /** A sentence of thought, never read back. */
  readonly thought: string
  readonly items: readonly PlanItem[]
  readonly isDone: boolean
  readonly calls: readonly WantedCall[]
  /** What to look for, one an entry. */
  readonly queries: readonly string[]
  /** The task can be done in one go. */
  readonly isAtomic?: boolean
  readonly parts?: SummaryParts
  /** Ids of the entries to open or to cite. */
  readonly entryIds?: readonly number[]
  readonly fold?: FoldRange
  /** Entries that can go, and those that become a note. */
  readonly drop?: {
    readonly flush: readonly number[]
    readonly folds: readonly { readonly ids: readonly number[]; readonly notes: string }[]
  }
  /** From entries in view, and from items, to items. */
  readonly links?: readonly { readonly from: number | string; readonly to: string }[]
  readonly verdict?: Verdict
}
