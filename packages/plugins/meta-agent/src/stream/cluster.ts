import type { TaskFeatures } from '../features/task-features.js'

/** The features that decide the kind of a task. */
export type ClusterFeatures = Pick<TaskFeatures, 'windowShare' | 'unsizedSources' | 'sources' | 'goals' | 'deliverable'>

/**
 * The kind of a task, by which what was learned of one is used for others: a text of buckets of its features, such as
 * `volume=huge goals=few file=no`. It depends on features alone, so on the words, files and tools of the task.
 */
export function clusterOf(features: ClusterFeatures): string {
  const { goals, deliverable } = features
  return `volume=${volumeOf(features)} goals=${bucketOf(goals, GOALS)} file=${deliverable ? 'yes' : 'no'}`
}

/** Goals from which on there are several, and many. A model keeps about so many in mind. */
const GOALS = [
  ['few', 5],
  ['many', Number.POSITIVE_INFINITY],
] as const

/** Shares of the window that there is to observe: next to nothing, what fits, what fills it, and several windows. */
const VOLUMES = [
  ['tiny', 0.1],
  ['small', 0.5],
  ['large', 2],
  ['huge', Number.POSITIVE_INFINITY],
] as const

function volumeOf({ windowShare, unsizedSources, sources }: ClusterFeatures): string {
  if (windowShare === null || (unsizedSources > 0 && unsizedSources >= sources)) return 'unknown'
  return bucketOf(windowShare, VOLUMES)
}

function bucketOf(value: number, buckets: readonly (readonly [name: string, below: number])[]): string {
  return (buckets.find(([, below]) => value < below) ?? (buckets.at(-1) as readonly [string, number]))[0]
}

/** How far apart two clusters are: buckets between their volumes, and 1 for each of the others that differs. */
export function clusterDistance(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  return [...one].reduce((sum, [name, value]) => sum + partDistance(name, value, other.get(name)), 0)
}

function partDistance(name: string, a: string, b: string | undefined): number {
  const places = VOLUMES.map(([volume]): string => volume)
  const [at, to] = [places.indexOf(a), places.indexOf(b ?? '')]
  if (name === 'volume' && at >= 0 && to >= 0) return Math.abs(at - to)
  return a === b ? 0 : 1
}

function partsOf(cluster: string): ReadonlyMap<string, string> {
  return new Map(cluster.split(' ').map((part) => part.split('=', 2) as [string, string]))
}
