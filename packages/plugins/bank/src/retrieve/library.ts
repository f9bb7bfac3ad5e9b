import { nearestClusters } from '../cluster/clusters.js'
import type { BankIndex, CellStats, HarnessRow } from '../index/bank-index.js'
import type { BankLog } from '../log/bank-log.js'
import type { ClusterEntry, HarnessEntry } from '../log/entry.js'
import { clusterMeans, priorOf } from './prior.js'
import { measuresOf, type Pick, pickReferences, type Reference, type ReferenceQuery } from './references.js'
import { TextSearch } from './text-search.js'

/** Hits of a search that are looked at. */
const MOST_HITS = 50

/** Clusters among them whose harnesses are looked at. */
const MOST_CLUSTERS = 2

/** Harnesses of a cluster that a task of it leads to. */
const BEST_OF_CLUSTER = 5

/** What is searched: cards and tasks in memory, read from the index when they are first asked for, and what is new since. */
export class Library {
  readonly #log: BankLog
  readonly #index: BankIndex
  #search = new TextSearch()
  #rows = new Map<string, HarnessRow>()
  #seeds = new Set<string>()
  #clusters = new Map<string, ClusterEntry>()
  #seen = { harness: -1, cluster: -1 }
  /** The log that it was read from: another one after a prune, of this process or of another. */
  #logId = ''

  constructor(log: BankLog, index: BankIndex) {
    this.#log = log
    this.#index = index
  }

  async clusters(): Promise<readonly ClusterEntry[]> {
    await this.#takeClusters()
    return [...this.#clusters.values()]
  }

  async retrieve(query: ReferenceQuery): Promise<readonly Reference[]> {
    await this.#takeClusters()
    await this.#takeHarnesses()
    const near = nearestClusters(query, [...this.#clusters.values()]).slice(0, 2)
    const [nearest] = near
    const stats = nearest === undefined ? [] : await this.#statsOf(nearest.cluster.id, query.backbone)
    const isAllowed = await this.#allowed(query)
    const picks = pickReferences({
      k: query.k ?? 5,
      rows: this.#rows,
      isAllowed,
      seeds: this.#seeds,
      champions: await this.#champions(
        near.map(({ cluster }) => cluster),
        query.backbone,
      ),
      ranked: await this.#ranked(query),
      stats,
    })
    const clusterId = near[0]?.cluster.id ?? null
    return await Promise.all(
      picks.map(async (pick) => await this.#referenceOf(pick, query.backbone, { stats, clusterId })),
    )
  }

  /** Begins anew where the log is another one. */
  #turnTo(logId: string): void {
    if (logId === this.#logId) return
    this.#logId = logId
    this.#search = new TextSearch()
    this.#rows = new Map()
    this.#seeds = new Set()
    this.#clusters = new Map()
    this.#seen = { harness: -1, cluster: -1 }
  }

  async #takeHarnesses(): Promise<void> {
    for (const row of await this.#index.harnesses({ after: this.#seen.harness })) {
      this.#rows.set(row.id, row)
      if (row.operator === 'seed') this.#seeds.add(row.id)
      this.#search.addHarness(row)
      this.#seen.harness = Math.max(this.#seen.harness, row.position)
    }
  }

  async #takeClusters(): Promise<void> {
    this.#turnTo(this.#log.id())
    for (const pointer of await this.#index.clusters(this.#seen.cluster)) {
      const cluster = this.#log.at(pointer) as ClusterEntry // the index says so
      this.#clusters.set(cluster.id, cluster)
      this.#search.addCluster(cluster)
      this.#seen.cluster = Math.max(this.#seen.cluster, pointer.position)
    }
  }

  /** Whether a harness may be picked: it is neither retired, nor evaluated on this very task. */
  async #allowed({ taskId, excludeSameTask = true }: ReferenceQuery): Promise<(row: HarnessRow) => boolean> {
    const excluded = new Set(excludeSameTask ? await this.#index.harnessesOn(taskId) : [])
    return ({ id, status }) => !excluded.has(id) && !UNUSED.has(status)
  }

  async #champions(
    clusters: readonly ClusterEntry[],
    backbone: string,
  ): Promise<readonly { readonly harnessId: string; readonly clusterName: string }[]> {
    const found = await Promise.all(
      clusters.map(async ({ id, name }) => {
        const holders = await this.#index.holders({ clusterId: id, backbone })
        const [latest] = holders.filter(({ role }) => role === 'champion').toSorted((a, b) => b.since - a.since)
        return latest === undefined ? [] : [{ harnessId: latest.harnessId, clusterName: name }]
      }),
    )
    return found.flat()
  }

  /** Harnesses in the order of the search; a task that is found leads to the best of its cluster. What is not found comes last. */
  async #ranked({ text, backbone }: ReferenceQuery): Promise<readonly string[]> {
    const ranked = new Set<string>()
    let clusters = 0
    for (const { kind, id } of this.#search.find(text, MOST_HITS)) {
      if (kind === 'harness') ranked.add(id)
      else if (clusters++ < MOST_CLUSTERS)
        for (const harnessId of await this.#bestOf(id, backbone)) ranked.add(harnessId)
    }
    for (const id of this.#rows.keys()) {
      if (ranked.size >= MOST_HITS) break
      ranked.add(id)
    }
    return [...ranked]
  }

  async #bestOf(clusterId: string, backbone: string): Promise<readonly string[]> {
    const stats = await this.#statsOf(clusterId, backbone)
    const means = clusterMeans(stats)
    const scored = stats.map((one) => ({ id: one.harnessId, prior: priorOf(one, means) }))
    return scored
      .sort((a, b) => b.prior - a.prior || (a.id < b.id ? -1 : 1))
      .slice(0, BEST_OF_CLUSTER)
      .map(({ id }) => id)
  }

  /** What harnesses came to in a cluster with a model, over price tables and protocols. */
  async #statsOf(clusterId: string, backbone: string): Promise<readonly CellStats[]> {
    return await this.#index.stats({ clusterId, backbone })
  }

  async #referenceOf(
    { row, kind, why }: Pick,
    backbone: string,
    { stats, clusterId }: { readonly stats: readonly CellStats[]; readonly clusterId: string | null },
  ): Promise<Reference> {
    const { id: harnessId, name, manifest, card } = this.#log.at(row) as HarnessEntry // the index says so
    const means = clusterMeans(stats)
    const here = measuresOf(
      stats.filter((one) => one.harnessId === harnessId),
      means,
      clusterId,
    )
    const measured = here ?? measuresOf(await this.#index.stats({ harnessId, backbone }), means, null)
    return { harnessId, name, manifest, card, measured, pick: kind, why }
  }
}

const UNUSED: ReadonlySet<string> = new Set(['retired', 'quarantined'])
