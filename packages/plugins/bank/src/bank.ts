import { randomUUID } from 'node:crypto'
import { catchUp, takeUp } from './catch-up.js'
import {
  CLUSTER_RADIUS,
  type FoundingTask,
  foundCluster,
  type NearCluster,
  nearestClusters,
  withExemplar,
} from './cluster/clusters.js'
import { type DecisionInput, entriesOfDecisions } from './decide.js'
import { badEntry } from './errors.js'
import { findHarness } from './find-harness.js'
import type {
  BankIndex,
  CellFilter,
  CellStats,
  Counts,
  EvaluationFilter,
  HarnessRow,
  HolderRow,
} from './index/bank-index.js'
import type { IndexChoice } from './index/open-index.js'
import type { BankLog, LogPlace, SetAside } from './log/bank-log.js'
import { faultOfEntry } from './log/check-entry.js'
import {
  type Cell,
  type ClusterEntry,
  type DecisionEntry,
  type Entry,
  type EvaluationEntry,
  type HarnessEntry,
  LOG_VERSION,
} from './log/entry.js'
import { type ToMeasure, toMeasureAnew } from './new-cell.js'
import { keptEntries, type PruneOptions, type PruneReport } from './prune.js'
import { Library } from './retrieve/library.js'
import type { Reference, ReferenceQuery } from './retrieve/references.js'
import { racesLeft, wasRacedSince } from './rule/quota.js'
import { checkFile, exportedLines, fileEntries, unknownOf } from './transfer.js'

/** How a bank is opened. */
export interface BankOptions {
  /** Made where it is not there. */
  readonly directory: string
  /** Default: `auto`. */
  readonly index?: IndexChoice
  /** The time in ms since 1970. Default: the computer's clock. */
  readonly now?: () => number
  /** Gives an id that was never given. Default: a random UUID. */
  readonly newId?: () => string
}

/** An entry without what the bank adds: the version, and where it is left out the time. */
export type NewEntry<Of extends Entry> = Of extends Entry
  ? Omit<Of, 'v' | 'kind' | 'at'> & { readonly at?: number }
  : never

/** Where a task belongs. */
export interface ClusterOf {
  readonly cluster: ClusterEntry
  /** From 0 to 1; 0 for a cluster that this task founded. */
  readonly distance: number
  readonly isNew: boolean
}

/**
 * What harnesses came to: a log that is only ever appended to, and an index that follows from it. Open one with
 * `openBank`.
 */
export class Bank {
  readonly directory: string
  readonly #log: BankLog
  readonly #index: BankIndex
  readonly #now: () => number
  readonly #newId: () => string
  readonly #library: Library
  /** Where the index stood when it was last changed here. */
  #place: LogPlace | undefined
  /** One change of the index at a time. */
  #turn: Promise<unknown> = Promise.resolve()

  /** @internal */
  constructor(log: BankLog, index: BankIndex, { directory, now = Date.now, newId = randomUUID }: BankOptions) {
    this.directory = directory
    this.#log = log
    this.#index = index
    this.#now = now
    this.#newId = newId
    this.#library = new Library(log, index)
  }

  /** Where the index is. */
  get indexKind(): BankIndex['kind'] {
    return this.#index.kind
  }

  /** The file of the log. */
  get logPath(): string {
    return this.#log.path
  }

  /** Adds harnesses, or newer states of harnesses that are there. */
  async addHarnesses(harnesses: readonly NewEntry<HarnessEntry>[]): Promise<void> {
    await this.append(harnesses.map((harness) => ({ at: this.#now(), ...harness, v: LOG_VERSION, kind: 'harness' })))
  }

  /** Adds what runs came to. One whose id is there already changes nothing. */
  async addEvaluations(evaluations: readonly NewEntry<EvaluationEntry>[]): Promise<void> {
    await this.append(evaluations.map((one) => ({ at: this.#now(), ...one, v: LOG_VERSION, kind: 'evaluation' })))
  }

  /**
   * Appends entries, and takes up in the index what this and other processes have appended.
   *
   * @throws HarnessError `E_BANK_ENTRY` for an entry that is none: nothing is written then. `E_BANK_FULL` and `E_BANK_WRITE`
   *   when the log cannot be written.
   */
  async append(entries: readonly Entry[]): Promise<void> {
    for (const [position, entry] of entries.entries()) {
      const fault = faultOfEntry(entry)
      if (fault !== undefined) throw badEntry(position, fault)
    }
    const known = this.#place
    const written = this.#log.append(entries, known)
    await this.#inTurn(async () => {
      this.#place = await takeUp(this.#log, this.#index, { known, written })
    })
  }

  /** Takes up what other processes have appended since. */
  async refresh(): Promise<void> {
    await this.#inTurn(async () => {
      this.#place = await catchUp(this.#log, this.#index, this.#place)
    })
  }

  /** Makes the index anew from the log. */
  async rebuild(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#index.clear(this.#log.id())
      this.#place = await catchUp(this.#log, this.#index)
    })
  }

  /** Harnesses, without their manifests. */
  async harnesses(): Promise<readonly HarnessRow[]> {
    return await this.#index.harnesses()
  }

  /**
   * A harness by its id, or by the beginning of it, with or without `sha256:`, or by its name.
   *
   * @throws HarnessError `E_BANK_UNKNOWN` when there is none, or more than one.
   */
  async harness(id: string): Promise<HarnessEntry> {
    const [exact] = await this.#index.harnesses({ id })
    return this.#log.at(exact ?? findHarness(id, await this.#index.harnesses())) as HarnessEntry // the index says so
  }

  /** Sums of what harnesses came to, in cells. */
  async stats(filter: CellFilter & { readonly harnessId?: string } = {}): Promise<readonly CellStats[]> {
    return await this.#index.stats(filter)
  }

  /** Evaluations, the newest first. */
  async evaluations(filter: EvaluationFilter, limit = 100): Promise<readonly EvaluationEntry[]> {
    return (await this.#index.evaluations(filter, limit)).map((row) => this.#log.at(row) as EvaluationEntry)
  }

  /** Decisions, the newest first. */
  async decisions(
    filter: CellFilter & { readonly challengerId?: string } = {},
    limit = 100,
  ): Promise<readonly DecisionEntry[]> {
    return (await this.#index.decisions(filter, limit)).map((row) => this.#log.at(row) as DecisionEntry)
  }

  /** Champions and anchors. */
  async holders(filter: CellFilter & { readonly harnessId?: string } = {}): Promise<readonly HolderRow[]> {
    return await this.#index.holders(filter)
  }

  /** Who is the champion and who the anchor of a cell; undefined where nobody is yet. */
  async cell(
    cell: Cell,
  ): Promise<{ readonly champion: HolderRow | undefined; readonly anchor: HolderRow | undefined }> {
    const holders = await this.#index.holders({ ...cell })
    const of = (role: HolderRow['role']): HolderRow | undefined => holders.find((holder) => holder.role === role)
    return { champion: of('champion'), anchor: of('anchor') }
  }

  /** Kinds of tasks. */
  async clusters(): Promise<readonly ClusterEntry[]> {
    return await this.#library.clusters()
  }

  /** Clusters by their distance from a task. */
  async nearestClusters(task: Pick<FoundingTask, 'text' | 'features'>): Promise<readonly NearCluster[]> {
    return nearestClusters(task, await this.#library.clusters())
  }

  /** The cluster of a task: the nearest one within {@link CLUSTER_RADIUS}, or a new one around it, which is remembered. */
  async clusterOf(task: FoundingTask): Promise<ClusterOf> {
    const [near] = await this.nearestClusters(task)
    if (near !== undefined && near.distance <= CLUSTER_RADIUS) {
      const grown = withExemplar(near.cluster, task, this.#now())
      if (grown !== undefined) await this.append([grown])
      return { ...near, cluster: grown ?? near.cluster, isNew: false }
    }
    const cluster: ClusterEntry = { ...foundCluster(task, this.#now()), v: LOG_VERSION }
    await this.append([cluster])
    return { cluster, distance: 0, isNew: true }
  }

  /** References for a task: see {@link Reference}. */
  async retrieve(query: ReferenceQuery): Promise<readonly Reference[]> {
    await this.refresh()
    return await this.#library.retrieve(query)
  }

  /** Opens a cell: its first champion, which is its first anchor too where no other is named. */
  async openCell(
    cell: Cell,
    { championId, anchorId = championId }: { readonly championId: string; readonly anchorId?: string },
  ): Promise<void> {
    const base = { v: LOG_VERSION, at: this.#now(), evidenceId: null, ...cell }
    await this.append([
      { ...base, kind: 'champion', id: this.#newId(), harnessId: championId },
      { ...base, kind: 'anchor', id: this.#newId(), harnessId: anchorId },
    ])
  }

  /**
   * Stores decisions that were made together, and what follows from them: a promoted challenger becomes the champion, a champion
   * that proved itself the anchor, and the anchor takes the place of a champion that was demoted.
   *
   * @param keep - Is given the entries before they are stored. Those that are appended again change nothing.
   * @returns The ids of the decisions.
   */
  async decide(
    inputs: readonly DecisionInput[],
    keep?: (entries: readonly Entry[]) => void,
  ): Promise<readonly string[]> {
    const entries = entriesOfDecisions(inputs, { at: this.#now(), newId: this.#newId })
    keep?.(entries)
    await this.append(entries)
    return entries.filter(({ kind }) => kind === 'decision').map(({ id }) => id)
  }

  /**
   * What has to be measured before a new cell has its first race: champion and anchor of the last cell of the same cluster, and
   * the two seeds that were best there. Of a cell that has an anchor it is the anchor, which is measured anew after a demotion.
   */
  async toMeasure(cell: Cell): Promise<readonly ToMeasure[]> {
    const { anchor } = await this.cell(cell)
    if (anchor !== undefined) return [{ harnessId: anchor.harnessId, why: 'anchor of the cell' }]
    const { clusterId } = cell
    return toMeasureAnew({
      holders: await this.#index.holders({ clusterId }),
      stats: await this.#index.stats({ clusterId }),
      harnesses: await this.#index.harnesses(),
    })
  }

  /** How many more races a cluster may have now. */
  async racesLeft(clusterId: string): Promise<number> {
    const raced = (await this.#index.decisions({ clusterId }, 1_000)).filter(({ rule }) => rule === 'conservative')
    return racesLeft(
      raced.map(({ at }) => at),
      this.#now(),
    )
  }

  /** Whether no race of 40 pairs or more was decided in this cell since its champion was promoted. */
  async isFirstRaceOfChampion(cell: Cell): Promise<boolean> {
    const { champion } = await this.cell(cell)
    if (champion === undefined) return false
    return !wasRacedSince(champion, await this.decisions({ ...cell }, 1_000))
  }

  /** Every entry as a line of JSON, in the order of the log. */
  exportLines(): Iterable<string> {
    return exportedLines(this.#log)
  }

  /**
   * Takes the entries of a file that another bank exported: those that are not there yet, and newer states of what is there.
   *
   * @returns How many were added, and how many were known.
   * @throws HarnessError `E_BANK_IMPORT` for a line that is no entry; nothing is taken then.
   */
  async importFile(path: string): Promise<{ readonly added: number; readonly known: number }> {
    checkFile(path)
    let [added, known] = [0, 0]
    for (const batch of fileEntries(path)) {
      const entries = await unknownOf(this.#index, batch)
      await this.append(entries)
      added += entries.length
      known += batch.length - entries.length
    }
    return { added, known }
  }

  /**
   * Drops what is not needed: see {@link PruneOptions}. The old log stays beside the new one, which has another identity, so
   * that every index of it is made anew.
   */
  async prune(options: PruneOptions = {}): Promise<PruneReport> {
    await this.refresh()
    const bytesBefore = this.#log.state().size
    const keeps = await keptEntries(this.#index, options)
    let [kept, dropped] = [0, 0]
    const old = this.#log.replace((logged) => {
      const isKept = keeps(logged)
      if (isKept) kept += 1
      else dropped += 1
      return isKept
    }, this.#newId())
    await this.rebuild()
    return { kept, dropped, bytesBefore, bytesAfter: this.#log.state().size, old }
  }

  /** How many entries there are. */
  async counts(): Promise<Counts> {
    return await this.#index.counts()
  }

  /** Lines of the log that are no entries, such as those that a killed process cut short. They stay, and are left out. */
  async setAside(): Promise<readonly SetAside[]> {
    return await this.#index.setAside()
  }

  /** Closes the index. The log is open only while it is used. */
  async close(): Promise<void> {
    await this.#turn.catch(() => undefined)
    await this.#index.close()
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.catch(() => undefined).then(work)
    this.#turn = turn
    return await turn
  }
}
