import type { LogBatch, LoggedEntry, LogPlace, SetAside } from '../log/bank-log.js'
import type { Cell, ClusterEntry, EntryKind, EvaluationEntry } from '../log/entry.js'
import type {
  BankIndex,
  CellFilter,
  CellStats,
  Counts,
  DecisionRow,
  EvaluationFilter,
  HarnessRow,
  HolderRow,
  Pointer,
} from './bank-index.js'
import { StatsTable } from './stats.js'

/** What is kept of an evaluation. */
interface EvaluationRow extends Pointer, Cell {
  readonly harnessId: string
  readonly taskId: string
  readonly at: number
}

/**
 * The index of a small bank, in memory alone: read from the log whenever the bank is opened. For those who have no SQLite.
 */
export class MemoryIndex implements BankIndex {
  readonly kind = 'memory'
  readonly #evaluations = new Map<string, EvaluationRow>()
  readonly #harnesses = new Map<string, HarnessRow>()
  readonly #decisions = new Map<string, DecisionRow>()
  readonly #holders = new Map<string, HolderRow>()
  readonly #clusters = new Map<string, Pointer & { readonly version: number; readonly at: number }>()
  #stats = new StatsTable()
  #setAside: SetAside[] = []
  #place: LogPlace | undefined

  async place(): Promise<LogPlace | undefined> {
    return this.#place
  }

  async clear(logId: string): Promise<void> {
    for (const map of [this.#evaluations, this.#harnesses, this.#decisions, this.#holders, this.#clusters]) map.clear()
    this.#stats = new StatsTable()
    this.#setAside = []
    this.#place = { logId, position: 0 }
  }

  async apply(logId: string, { from, to, entries, setAside }: LogBatch): Promise<boolean> {
    if (this.#place?.logId !== logId || this.#place.position !== from) return false
    for (const logged of entries) this.#add(logged)
    this.#setAside.push(...setAside)
    this.#place = { logId, position: to }
    return true
  }

  #add({ entry, position, bytes }: LoggedEntry): void {
    const pointer = { position, bytes }
    switch (entry.kind) {
      case 'evaluation':
        if (!this.#evaluations.has(entry.id)) this.#addEvaluation(entry, pointer)
        return
      case 'harness': {
        const { id, name, card, status, operator, at } = entry
        if ((this.#harnesses.get(id)?.at ?? -Infinity) <= at)
          this.#harnesses.set(id, { id, name, card, status, operator, at, ...pointer })
        return
      }
      case 'decision': {
        const { id, challengerId, rule, verdict, at } = entry
        if (!this.#decisions.has(id))
          this.#decisions.set(id, { id, challengerId, rule, verdict, at, ...cellOf(entry), ...pointer })
        return
      }
      case 'cluster':
        this.#addCluster(entry, pointer)
        return
      default: {
        const { kind: role, harnessId, at: since, evidenceId } = entry
        const key = JSON.stringify([role, cellOf(entry)])
        if ((this.#holders.get(key)?.since ?? -Infinity) <= since)
          this.#holders.set(key, { role, harnessId, since, evidenceId, ...cellOf(entry) })
      }
    }
  }

  #addEvaluation(entry: EvaluationEntry, pointer: Pointer): void {
    const { id, harnessId, taskId, at } = entry
    this.#evaluations.set(id, { harnessId, taskId, at, ...cellOf(entry), ...pointer })
    this.#stats.add(entry)
  }

  #addCluster({ id, version, at }: ClusterEntry, pointer: Pointer): void {
    if ((this.#clusters.get(id)?.version ?? -1) <= version) this.#clusters.set(id, { version, at, ...pointer })
  }

  async harnesses({
    id,
    after = -1,
  }: {
    readonly id?: string
    readonly after?: number
  } = {}): Promise<readonly HarnessRow[]> {
    const rows = id === undefined ? [...this.#harnesses.values()] : [this.#harnesses.get(id)]
    return byId(rows.filter((row) => row !== undefined && row.position > after) as HarnessRow[])
  }

  async stats(filter: CellFilter & { readonly harnessId?: string } = {}): Promise<readonly CellStats[]> {
    return [...this.#stats.values()].filter((stats) => matches(stats, filter)).map((stats) => ({ ...stats }))
  }

  async holders(filter: CellFilter & { readonly harnessId?: string } = {}): Promise<readonly HolderRow[]> {
    return [...this.#holders.values()].filter((row) => matches(row, filter))
  }

  async evaluations(filter: EvaluationFilter, limit: number): Promise<readonly Pointer[]> {
    return newest(
      [...this.#evaluations.values()].filter((row) => matches(row, filter)),
      limit,
    )
  }

  async harnessesOn(taskId: string): Promise<readonly string[]> {
    const on = [...this.#evaluations.values()].filter((row) => row.taskId === taskId)
    return [...new Set(on.map(({ harnessId }) => harnessId))].sort()
  }

  async decisions(
    filter: CellFilter & { readonly challengerId?: string },
    limit: number,
  ): Promise<readonly DecisionRow[]> {
    return newest(
      [...this.#decisions.values()].filter((row) => matches(row, filter)),
      limit,
    )
  }

  async clusters(after = -1): Promise<readonly Pointer[]> {
    return [...this.#clusters.values()]
      .filter(({ position }) => position > after)
      .sort((a, b) => a.position - b.position)
  }

  async setAside(): Promise<readonly SetAside[]> {
    return this.#setAside
  }

  async counts(): Promise<Counts> {
    return {
      harnesses: this.#harnesses.size,
      evaluations: this.#evaluations.size,
      decisions: this.#decisions.size,
      clusters: this.#clusters.size,
    }
  }

  async known(kind: EntryKind, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const maps: Partial<Record<EntryKind, ReadonlyMap<string, { readonly at: number }>>> = {
      harness: this.#harnesses,
      evaluation: this.#evaluations,
      decision: this.#decisions,
      cluster: this.#clusters,
    }
    const map = maps[kind]
    return new Map(
      ids.flatMap((id) => {
        const row = map?.get(id)
        return row === undefined ? [] : [[id, row.at] as const]
      }),
    )
  }

  async close(): Promise<void> {}
}

/** The cell of an entry. */
function cellOf({ clusterId, backbone, priceTable, protocol }: Cell): Cell {
  return { clusterId, backbone, priceTable, protocol }
}

function matches(row: object, filter: object): boolean {
  return Object.entries(filter).every(
    ([name, value]) => value === undefined || (row as Readonly<Record<string, unknown>>)[name] === value,
  )
}

function newest<Row extends Pointer & { readonly at: number }>(rows: readonly Row[], limit: number): readonly Row[] {
  return rows.toSorted((a, b) => b.at - a.at || b.position - a.position).slice(0, limit)
}

function byId(rows: readonly HarnessRow[]): readonly HarnessRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
