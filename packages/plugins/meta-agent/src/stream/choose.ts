import type { Random } from '@harnesswright/core'
import type { Cells } from './cells.js'
import { clusterDistance } from './cluster.js'

/** A harness that was chosen for a task of a stream. */
export interface StreamChoice {
  readonly entry: string
  /** `exploit`: the best by what is known. `explore`: one of which little is known. `default`: nothing is known. */
  readonly why: 'exploit' | 'explore' | 'default'
  /** The prior by which it was chosen, where there is one. */
  readonly prior?: number
}

/** Runs that an entry is taken to have had with the mean of its cluster: few runs say little. */
const PSEUDO_RUNS = 4

/** One-sided 90 %. */
const CAUTION = 1.2816

/** What one standard deviation of the logarithm of the cost counts, in reward. */
const COST_WEIGHT = 0.1

/** Most often, one task of so many explores; the more often, the more reward is missing. */
const EXPLORE = { most: 0.5, perMissing: 1 } as const

/**
 * Chooses a harness for a task by what is known of tasks like it: the one with the highest prior, or, the more often the more
 * reward the best one misses, the one of fewest runs.
 *
 * Where nothing is known of the cluster, what is known of the nearest one counts; where nothing is known at all, the first
 * entry is taken.
 *
 * @param entries - Names of the harnesses there are, the default first.
 */
export function chooseEntry(
  cluster: string,
  entries: readonly string[],
  { cells, random }: { readonly cells: Cells; readonly random: Random },
): StreamChoice {
  const [first = ''] = entries
  const known = nearestKnown(cluster, cells)
  const [dice, pick] = [random.next(), random.next()] // drawn whether they are used or not, so that a stream is not shifted
  if (known === undefined) return { entry: first, why: 'default' }
  const priors = entries.flatMap((entry) => {
    const prior = priorOf(entry, known, cells)
    return prior === undefined ? [] : [{ entry, prior }]
  })
  const best = priors.reduce(
    (most, one) => (one.prior > most.prior ? one : most),
    priors[0] ?? { entry: first, prior: 0 },
  )
  const missing = 1 - expected(best.entry, known, cells)
  const isExploring = dice < Math.min(EXPLORE.most, EXPLORE.perMissing * missing)
  const explored = isExploring ? leastKnown(cluster, entries, { cells, pick }) : undefined
  if (explored !== undefined && explored !== best.entry) return { entry: explored, why: 'explore' }
  return { entry: best.entry, why: 'exploit', prior: best.prior }
}

/** The cluster itself, else the nearest one of which something is known. */
function nearestKnown(cluster: string, cells: Cells): string | undefined {
  const [nearest] = cells.clusters
    .map((other) => ({ other, distance: clusterDistance(cluster, other) }))
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
  return nearest?.other
}

/** The reward that an entry is expected to have: its mean, drawn towards that of the cluster. */
function expected(entry: string, cluster: string, cells: Cells): number {
  const { runs = 0, reward = 0 } = cells.of(cluster, entry) ?? {}
  return (reward * runs + cells.whole(cluster).reward * PSEUDO_RUNS) / (runs + PSEUDO_RUNS)
}

/**
 * The prior of an entry: 0.25 + the lower bound of its reward - 0.1 x its cost in standard deviations, from 0.05 to 1.25. Of
 * an entry that was not measured there is none.
 */
function priorOf(entry: string, cluster: string, cells: Cells): number | undefined {
  const stats = cells.of(cluster, entry)
  if (stats === undefined) return undefined
  const spread = cells.whole(cluster).deviation / Math.sqrt(stats.runs + PSEUDO_RUNS)
  const bound = expected(entry, cluster, cells) - CAUTION * spread
  return Math.min(1.25, Math.max(0.05, 0.25 + bound - COST_WEIGHT * costScore(stats.usd, cluster, cells)))
}

/** The cost of an entry among those of the cluster, in standard deviations of the logarithm, from -2 to 2. */
function costScore(usd: number | null, cluster: string, cells: Cells): number {
  const logs = cells.entries(cluster).flatMap((entry) => {
    const cost = cells.of(cluster, entry)?.usd
    return cost === null || cost === undefined ? [] : [Math.log(cost)]
  })
  if (usd === null || logs.length < 2) return 0
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const deviation = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1))
  return deviation === 0 ? 0 : Math.max(-2, Math.min(2, (Math.log(usd) - mean) / deviation))
}

/** Of the entries with the fewest runs in this cluster one by chance. */
function leastKnown(
  cluster: string,
  entries: readonly string[],
  { cells, pick }: { readonly cells: Cells; readonly pick: number },
): string | undefined {
  const runs = entries.map((entry) => cells.of(cluster, entry)?.runs ?? 0)
  const least = entries.filter((_entry, index) => runs[index] === Math.min(...runs))
  return least[Math.floor(pick * least.length)]
}
