import type { Manifest, Task } from '@harnesswright/core'
import type { TaskFeatures } from '../features/task-features.js'
import type { Proposer } from './proposer.js'

/** What is looked for in a bank. */
export interface NearestQuery {
  readonly task: Task
  readonly features: TaskFeatures
  /** Id of the model that is to run the task. */
  readonly model: string
}

/** What a bank has for a task. */
export interface NearestEntry {
  readonly manifest: Manifest
  /** What speaks for it, with its figures. */
  readonly because: string
}

/** Where champions are looked for: a bank. */
export interface ChampionSource {
  /** The champions for the nearest kinds of tasks, the nearest first; none where nothing is known. */
  nearest(query: NearestQuery): Promise<readonly NearestEntry[]>
}

/** Proposes the champions of a bank for the kinds of tasks nearest to this one, of origin `bank`. No model is asked. */
export function createNearestProposer(source: ChampionSource): Proposer {
  return {
    route: 'nearest',
    async *propose({ task, features, env }) {
      const found = await source.nearest({ task, features, model: env.model().id })
      for (const { manifest, because } of found) {
        yield { manifest, origin: 'bank', explanation: [{ rule: 'nearest', applies: true, because }] }
      }
    },
  }
}
