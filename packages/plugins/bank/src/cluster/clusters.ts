import { createHash } from 'node:crypto'
import type { ClusterEntry } from '../log/entry.js'
import { type ClusteredTask, clusterDistance } from './distance.js'

/** A cluster, and how far a task is from it. */
export interface NearCluster {
  readonly cluster: ClusterEntry
  /** From 0 to 1. */
  readonly distance: number
}

/** A task at most this far from a cluster belongs to it. */
export const CLUSTER_RADIUS = 0.3

/** Most tasks that stand for a cluster. */
export const MOST_EXEMPLARS = 5

/** Clusters by their distance from a task; of equals the older comes first. */
export function nearestClusters(task: ClusteredTask, clusters: readonly ClusterEntry[]): readonly NearCluster[] {
  return clusters
    .map((cluster) => ({ cluster, distance: clusterDistance(task, cluster) }))
    .sort((a, b) => a.distance - b.distance || a.cluster.at - b.cluster.at || (a.cluster.id < b.cluster.id ? -1 : 1))
}

/** A task that may found a cluster. */
export interface FoundingTask extends ClusteredTask {
  readonly taskId: string
}

/** A new cluster around a task. Its id follows from the task: two processes that found it at once found the same. */
export function foundCluster({ taskId, text, features }: FoundingTask, at: number): Omit<ClusterEntry, 'v'> {
  const hash = createHash('sha256').update(JSON.stringify([text, Object.entries(features).sort()]))
  return {
    kind: 'cluster',
    id: `tasks-${hash.digest('hex').slice(0, 12)}`,
    at,
    version: 1,
    name: text.replace(/\s+/g, ' ').trim().slice(0, 80),
    features,
    exemplars: [{ taskId, text: text.slice(0, MOST_EXEMPLAR_TEXT) }],
  }
}

/** The cluster with one more task that stands for it, or undefined where it has enough, or has this one. */
export function withExemplar(
  cluster: ClusterEntry,
  { taskId, text }: FoundingTask,
  at: number,
): ClusterEntry | undefined {
  const { exemplars, version } = cluster
  if (exemplars.length >= MOST_EXEMPLARS || exemplars.some((exemplar) => exemplar.taskId === taskId)) return undefined
  const exemplar = { taskId, text: text.slice(0, MOST_EXEMPLAR_TEXT) }
  return { ...cluster, at, version: version + 1, exemplars: [...exemplars, exemplar] }
}

const MOST_EXEMPLAR_TEXT = 2_000
