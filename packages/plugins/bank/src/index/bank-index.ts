import type { LogBatch, LogPlace, SetAside } from '../log/bank-log.js'
import type { Cell, EntryKind, HarnessOperator, HarnessStatus } from '../log/entry.js'

/** Where an entry stands in the log, in bytes. */
export interface Pointer {
  readonly position: number
  readonly bytes: number
}

/** A harness as the index knows it; the entry itself is in the log. */
export interface HarnessRow extends Pointer {
  readonly id: string
  readonly name: string
  readonly card: string
  readonly status: HarnessStatus
  readonly operator: HarnessOperator
  readonly at: number
}

/** Sums over what a harness came to in a cell. */
export interface CellStats extends Cell {
  readonly harnessId: string
  /** Runs with a reward. */
  readonly n: number
  readonly rewardSum: number
  readonly rewardSquares: number
  /** Runs of `n` whose reward a judge gave. */
  readonly judged: number
  /** Runs that failed for no fault of the harness. */
  readonly masked: number
  /** Runs with a known cost above 0, and sums of its logarithm. */
  readonly usdN: number
  readonly usdSum: number
  readonly usdLogSum: number
  readonly usdLogSquares: number
  /** Runs with a known time above 0, and sums of its logarithm. */
  readonly msN: number
  readonly msSum: number
  readonly msLogSum: number
  readonly msLogSquares: number
  /** Runs with known tokens, and the sum of those in and out. */
  readonly tokensN: number
  readonly tokensSum: number
  /** When the last of them began. */
  readonly lastAt: number
}

/** Who holds a place in a cell. */
export interface HolderRow extends Cell {
  readonly role: 'champion' | 'anchor'
  readonly harnessId: string
  readonly since: number
  readonly evidenceId: string | null
}

/** A decision as the index knows it. */
export interface DecisionRow extends Cell, Pointer {
  readonly id: string
  readonly challengerId: string
  readonly rule: string
  readonly verdict: string
  readonly at: number
}

/** Which cells are asked for: those that have all of these. */
export type CellFilter = Partial<Cell>

/** How many entries there are. */
export interface Counts {
  readonly harnesses: number
  readonly evaluations: number
  readonly decisions: number
  readonly clusters: number
}

/**
 * What is found without reading the log. It follows from the log alone, and may be thrown away at any time.
 *
 * Entries are applied in batches, each with the place where it ends, at once or not at all; an entry that is there already
 * changes nothing.
 */
export interface BankIndex {
  readonly kind: 'memory' | 'sqlite' | 'postgres'
  /** How far it has come; undefined for a new one. */
  place(): Promise<LogPlace | undefined>
  /** Applies a batch of the log, if this is still where the index stands; otherwise it does nothing and says false. */
  apply(logId: string, batch: LogBatch): Promise<boolean>
  /** Forgets everything: it stands at the beginning of this log. */
  clear(logId: string): Promise<void>

  /** Harnesses by their ids; of one id, or those whose entries stand after a place of the log. */
  harnesses(filter?: { readonly id?: string; readonly after?: number }): Promise<readonly HarnessRow[]>
  /** Sums of what harnesses came to, in cells. */
  stats(filter?: CellFilter & { readonly harnessId?: string }): Promise<readonly CellStats[]>
  /** Champions and anchors. */
  holders(filter?: CellFilter & { readonly harnessId?: string }): Promise<readonly HolderRow[]>
  /** Evaluations, the newest first. */
  evaluations(filter: EvaluationFilter, limit: number): Promise<readonly Pointer[]>
  /** Harnesses that were evaluated on a task. */
  harnessesOn(taskId: string): Promise<readonly string[]>
  /** Decisions, the newest first. */
  decisions(filter: CellFilter & { readonly challengerId?: string }, limit: number): Promise<readonly DecisionRow[]>
  /** Clusters in the order of their entries; those whose entries stand after a place of the log. */
  clusters(after?: number): Promise<readonly Pointer[]>
  /** Lines of the log that are no entries, in its order. */
  setAside(): Promise<readonly SetAside[]>
  /** How many entries there are. */
  counts(): Promise<Counts>
  /** Which of these ids of a kind there are, each with when it was written. */
  known(kind: EntryKind, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Ends what the index has open. */
  close(): Promise<void>
}

/** Which evaluations are asked for. */
export interface EvaluationFilter extends CellFilter {
  readonly harnessId?: string
  readonly taskId?: string
}
