import type { Random } from '@harnesswright/core'
import type { Cells } from './cells.js'
import { clusterDistance } from './cluster.js'

/** A harness that was chosen for a task of a stream. */
export interface StreamChoice {
  readonly entry: string
  /** `exploit`: the best by what is known. `explore`: it may be better yet. `default`: nothing is known. */
  readonly why: 'exploit' | 'explore' | 'default'
}

/** Runs that an entry is taken to have had with the mean of its cluster: few runs say little. */
const PSEUDO_RUNS = 4

/** One-sided 90 %. */
const CAUTION = 1.2816

/** Entries whose rewards differ by less are as good, and the cheapest of them is taken. */
const AS_GOOD = 0.02

/** Most often, one task of two explores; the more often, the more reward is missing. */
const MOST_EXPLORED = 0.5

/**
 * Chooses a harness for a task by what is known of tasks like it. Of those that are as good as the best one by the lower bounds
 * of their rewards the cheapest is taken; or, the more often the more reward that one misses, the one whose upper bound is
 * highest.
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
  const rated = entries.map((entry) => rate(entry, known, cells))
  const best = cheapestOfBest(rated.filter(({ runs }) => runs > 0))
  if (best === undefined) return { entry: first, why: 'default' }
  const hopeful = mostHopeful(rated, pick)
  const isExploring = dice < Math.min(MOST_EXPLORED, 1 - best.expected)
  return isExploring && hopeful !== best.entry
    ? { entry: hopeful, why: 'explore' }
    : { entry: best.entry, why: 'exploit' }
}

/** What is known of an entry on a kind of task. */
interface Rated {
  readonly entry: string
  readonly runs: number
  /** The reward that it is expected to have: its mean, drawn towards that of the cluster. */
  readonly expected: number
  /** How far the true reward may well lie from it. */
  readonly spread: number
  /** USD of a run; a cost that is unknown is the highest. */
  readonly usd: number
}

function rate(entry: string, cluster: string, cells: Cells): Rated {
  const { runs = 0, reward = 0, usd = null } = cells.of(cluster, entry) ?? {}
  const whole = cells.whole(cluster)
  return {
    entry,
    runs,
    expected: (reward * runs + whole.reward * PSEUDO_RUNS) / (runs + PSEUDO_RUNS),
    spread: (CAUTION * whole.deviation) / Math.sqrt(runs + PSEUDO_RUNS),
    usd: usd ?? Number.POSITIVE_INFINITY,
  }
}

/** The cluster itself, else the nearest one of which something is known. */
function nearestKnown(cluster: string, cells: Cells): string | undefined {
  const [nearest] = cells.clusters
    .map((other) => ({ other, distance: clusterDistance(cluster, other) }))
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
  return nearest?.other
}

function cheapestOfBest(rated: readonly Rated[]): Rated | undefined {
  const bound = ({ expected, spread }: Rated): number => expected - spread
  const highest = Math.max(...rated.map(bound))
  const [cheapest] = rated
    .filter((one) => bound(one) >= highest - AS_GOOD)
    .sort((a, b) => (a.usd === b.usd ? bound(b) - bound(a) : a.usd - b.usd))
  return cheapest
}

/** The entry that may be the best one, where chance was with it; of several one by chance. */
function mostHopeful(rated: readonly Rated[], pick: number): string {
  const bound = ({ expected, spread }: Rated): number => expected + spread
  const highest = Math.max(...rated.map(bound))
  const hopeful = rated.filter((one) => bound(one) >= highest - 1e-9)
  return (hopeful[Math.floor(pick * hopeful.length)] as Rated).entry // one at least has the highest
}
