import type { Json } from '@harnesswright/core'
import type { CellStats, HarnessRow } from '../index/bank-index.js'
import type { TaskRecord } from '../log/entry.js'
import { type ClusterMeans, clusterMeans, priorOf, rewardBound } from './prior.js'

/** A task for which references are asked. */
export interface ReferenceQuery {
  readonly taskId: string
  readonly text: string
  readonly features: TaskRecord
  /** The model that will run the harness, with its version: what was measured with another says nothing. */
  readonly backbone: string
  /** Most references. Default: 5. */
  readonly k?: number
  /** Whether harnesses that were evaluated on this very task are left out, so that a gain can be measured. Default: true. */
  readonly excludeSameTask?: boolean
}

/** What a harness came to. What is not known is null. */
export interface ReferenceMeasures {
  /** Runs with a reward. */
  readonly runs: number
  /** Mean reward, from 0 to 1. */
  readonly reward: number | null
  /** Lower bound of it, shrunk to the mean of the cluster. */
  readonly rewardLower: number | null
  /** Mean time of a run in ms. */
  readonly ms: number | null
  /** Mean input and output tokens of a run. */
  readonly tokens: number | null
  /** Mean cost of a run in USD. */
  readonly usd: number | null
  /** The cluster in which it was measured; null for all clusters together. */
  readonly clusterId: string | null
}

/** Why a harness was picked. */
export type PickKind = 'champion' | 'similar' | 'exploration' | 'seed'

/** A harness of the bank as an example for who composes. */
export interface Reference {
  readonly harnessId: string
  readonly name: string
  readonly manifest: Json
  /** What it is, and when to use it. */
  readonly card: string
  /** null where it was never measured with this model. */
  readonly measured: ReferenceMeasures | null
  readonly pick: PickKind
  /** Why it was picked, in a sentence. */
  readonly why: string
}

/** A harness that may be picked. */
export interface Pick {
  readonly row: HarnessRow
  readonly kind: PickKind
  readonly why: string
}

/** What picks are made from. */
export interface PickInput {
  readonly k: number
  readonly rows: ReadonlyMap<string, HarnessRow>
  /** Whether a harness may be picked. */
  readonly isAllowed: (row: HarnessRow) => boolean
  /** Ids of those that are seeds. */
  readonly seeds: ReadonlySet<string>
  /** Champions of the nearest clusters, the nearest first. */
  readonly champions: readonly { readonly harnessId: string; readonly clusterName: string }[]
  /** Harnesses that the search led to, the best first. */
  readonly ranked: readonly string[]
  /** What harnesses came to in the nearest cluster with this model. */
  readonly stats: readonly CellStats[]
}

/** Ranks this far down count nearly as much as the first. */
const RANK_OFFSET = 60

/**
 * Picks references: the champions of the nearest clusters, then what is similar in the order of reciprocal rank times prior;
 * and always, where there is one, a harness of few runs and a seed.
 */
export function pickReferences(input: PickInput): readonly Pick[] {
  const { k, stats } = input
  const byHarness = new Map(stats.map((one) => [one.harnessId, one]))
  const means = clusterMeans(stats)
  const scored = scoreAll(input, byHarness, means)
  const picks = new Map<string, Pick>()
  const put = (harnessId: string, kind: PickKind, why: string): void => {
    const row = allowedRow(harnessId, input)
    if (row !== undefined && !picks.has(harnessId)) picks.set(harnessId, { row, kind, why })
  }
  for (const { harnessId, clusterName } of input.champions.slice(0, Math.max(0, k - 2)))
    put(harnessId, 'champion', `champion of the cluster "${clusterName}"`)
  const seed = bestSeed(input, byHarness, means)
  const explored = fewestRuns(scored, byHarness, new Set([...picks.keys(), ...(seed === undefined ? [] : [seed])]))
  const reserved = [seed, explored].filter((id) => id !== undefined && !picks.has(id)).length
  for (const { id, rank, prior } of scored) {
    if (picks.size >= k - reserved) break
    if (id !== seed && id !== explored) put(id, 'similar', `number ${rank} by words, prior ${prior.toFixed(2)}`)
  }
  if (explored !== undefined && picks.size < k)
    put(explored, 'exploration', `${byHarness.get(explored)?.n ?? 0} runs on such tasks: the fewest of what was found`)
  if (seed !== undefined && picks.size < k) put(seed, 'seed', 'the seed with the best prior')
  return [...picks.values()]
}

function allowedRow(id: string, { rows, isAllowed }: PickInput): HarnessRow | undefined {
  const row = rows.get(id)
  return row !== undefined && isAllowed(row) ? row : undefined
}

interface Scored {
  readonly id: string
  readonly rank: number
  readonly prior: number
  readonly score: number
}

function scoreAll(input: PickInput, byHarness: ReadonlyMap<string, CellStats>, means: ClusterMeans): readonly Scored[] {
  return input.ranked
    .filter((id) => allowedRow(id, input) !== undefined)
    .map((id, index) => {
      const prior = priorOf(byHarness.get(id), means)
      return { id, rank: index + 1, prior, score: prior / (RANK_OFFSET + index + 1) }
    })
    .sort((a, b) => b.score - a.score || a.rank - b.rank)
}

function bestSeed(
  input: PickInput,
  byHarness: ReadonlyMap<string, CellStats>,
  means: ClusterMeans,
): string | undefined {
  const seeds = [...input.seeds].map((id) => allowedRow(id, input)).filter((row) => row !== undefined)
  const [best] = seeds
    .map(({ id, name }) => ({ id, name, prior: priorOf(byHarness.get(id), means) }))
    .sort((a, b) => b.prior - a.prior || (a.name < b.name ? -1 : 1))
  return best?.id
}

function fewestRuns(
  scored: readonly Scored[],
  byHarness: ReadonlyMap<string, CellStats>,
  picked: ReadonlySet<string>,
): string | undefined {
  const runsOf = (id: string): number => byHarness.get(id)?.n ?? 0
  const [first] = scored.filter(({ id }) => !picked.has(id)).toSorted((a, b) => runsOf(a.id) - runsOf(b.id))
  return first?.id
}

/** What a harness came to, over cells. */
export function measuresOf(
  stats: readonly CellStats[],
  means: ClusterMeans,
  clusterId: string | null,
): ReferenceMeasures | null {
  const total = (
    name: 'n' | 'rewardSum' | 'rewardSquares' | 'usdN' | 'usdSum' | 'msN' | 'msSum' | 'tokensN' | 'tokensSum',
  ): number => stats.reduce((sum, one) => sum + one[name], 0)
  const [first] = stats
  const n = total('n')
  if (first === undefined || n === 0) return null
  const all = { ...first, n, rewardSum: total('rewardSum'), rewardSquares: total('rewardSquares') }
  const mean = (sum: number, count: number): number | null => (count === 0 ? null : sum / count)
  return {
    runs: n,
    reward: mean(total('rewardSum'), n),
    rewardLower: Math.max(0, rewardBound(all, means.reward)),
    ms: mean(total('msSum'), total('msN')),
    tokens: mean(total('tokensSum'), total('tokensN')),
    usd: mean(total('usdSum'), total('usdN')),
    clusterId,
  }
}
