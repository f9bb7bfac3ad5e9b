import type { Manifest } from '@harnesswright/core'
import type { TaskFeatures } from '../features/task-features.js'
import type { Route } from '../proposers/route.js'

/** A task of a set, by which harnesses are compared. */
export interface LabTask {
  /** No two tasks of a set have the same. Splits are held apart by it. */
  readonly id: string
  /**
   * Tasks of one unit are averaged before anything is compared, for what they share is no evidence of its own: of generated
   * tasks the random seed, else the task itself.
   */
  readonly unit: string
}

/** The harness that is to do a task. */
export interface LabChoice {
  /** Names it in results: no two choices with different manifests have the same. */
  readonly name: string
  /** Absent: one is composed for the task. */
  readonly manifest?: Manifest
}

/** What a run came to, with what composing, selecting and repairing cost. */
export interface LabOutcome {
  /** From 0 to 1; null where the endpoint failed and not the harness. Such a run counts nowhere. */
  readonly reward: number | null
  /** Input and output tokens; null where the model did not say. */
  readonly tokens: number | null
  /** Of these the input and the output tokens of the run, where they are told apart. */
  readonly inputTokens?: number | null
  readonly outputTokens?: number | null
  /** null where a price or a count is unknown. */
  readonly usd: number | null
  /** Time on the clock of the run in ms. */
  readonly ms: number
  readonly steps: number
  /** How the harness came about. */
  readonly route: Route
  readonly manifestId: string
  readonly harnessId: string
  /** `answered`, `failed`, a limit, or the code of an error. */
  readonly end: string
}

/** Where tasks are looked at and done. */
export interface Lab<Task extends LabTask = LabTask> {
  /** What can be told of a task before it runs. */
  look(task: Task): Promise<TaskFeatures>
  /** Does a task once. The same task, choice and seed on a deterministic model come to the same. Rejects where it is aborted. */
  run(task: Task, choice: LabChoice, seed: number): Promise<LabOutcome>
}
