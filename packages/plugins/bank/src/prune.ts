import type { BankIndex } from './index/bank-index.js'
import type { LoggedEntry } from './log/bank-log.js'

/** What is pruned. */
export interface PruneOptions {
  /** Evaluations of runs that began before this, in ms since 1970, go. Default: none. */
  readonly before?: number
}

/** What a prune came to. */
export interface PruneReport {
  readonly kept: number
  readonly dropped: number
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Where the log is as it was before: to be removed when it is not needed. */
  readonly old: string
}

/**
 * Which entries are kept. Retired and quarantined harnesses go with their evaluations, unless they are champion or anchor of a
 * cell; states of harnesses and clusters that were replaced go, and evaluations from before a time. Decisions stay.
 */
export async function keptEntries(
  index: BankIndex,
  { before = Number.NEGATIVE_INFINITY }: PruneOptions,
): Promise<(logged: LoggedEntry) => boolean> {
  const held = new Set((await index.holders()).map(({ harnessId }) => harnessId))
  const rows = await index.harnesses()
  const gone = new Set(rows.filter(({ id, status }) => UNUSED.has(status) && !held.has(id)).map(({ id }) => id))
  const current = new Set([...rows, ...(await index.clusters())].map(({ position }) => position))
  return ({ entry, position }) => {
    if (entry.kind === 'harness') return !gone.has(entry.id) && current.has(position)
    if (entry.kind === 'cluster') return current.has(position)
    if (entry.kind === 'evaluation') return !gone.has(entry.harnessId) && entry.at >= before
    return true
  }
}

const UNUSED: ReadonlySet<string> = new Set(['retired', 'quarantined'])
