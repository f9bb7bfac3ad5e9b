import type { ClusterEntry, TaskRecord } from '../log/entry.js'

/** A task as far as clusters know it. */
export interface ClusteredTask {
  readonly text: string
  readonly features: TaskRecord
}

/** Numbers this many times as large are wholly different. */
const APART = Math.log(8)

/**
 * How far a task is from a cluster, from 0 to 1: half by features, half by the words it shares with the nearest of the tasks
 * that stand for the cluster.
 */
export function clusterDistance({ text, features }: ClusteredTask, cluster: ClusterEntry): number {
  const words = wordsOf(text)
  const shared = Math.max(0, ...cluster.exemplars.map((exemplar) => likeness(words, wordsOf(exemplar.text))))
  return (featureDistance(features, cluster.features) + 1 - shared) / 2
}

/** Mean difference over the features that one of the two has; 0 where neither has any. */
export function featureDistance(a: TaskRecord, b: TaskRecord): number {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  if (names.length === 0) return 0
  return names.reduce((sum, name) => sum + difference(a[name] ?? null, b[name] ?? null), 0) / names.length
}

function difference(a: TaskRecord[string], b: TaskRecord[string]): number {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b ? 0 : 1
  return Math.min(1, Math.abs(signedLog(a) - signedLog(b)) / APART)
}

function signedLog(value: number): number {
  return Math.sign(value) * Math.log1p(Math.abs(value))
}

/** Twice the shared words over the words of both. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 1
  return (2 * [...a].filter((word) => b.has(word)).length) / (a.size + b.size)
}

/** Words of three letters or more: names and numbers differ from task to task, and so do not decide alone. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
}
