import type { Manifest, Task } from '@harnesswright/core'
import type { TaskFeatures } from '../features/task-features.js'

/** What a harness came to on tasks like the one at hand. What is not known is null or absent. */
export interface ReferenceMeasures {
  /** Mean reward, from 0 to 1. */
  readonly reward?: number | null
  /** Mean input and output tokens of a run. */
  readonly tokens?: number | null
  /** Mean cost of a run in USD. */
  readonly usd?: number | null
  /** Mean time of a run in ms. */
  readonly ms?: number | null
  /** Runs that the means are of. */
  readonly runs?: number | null
}

/** A harness of a bank, with what it came to and why it was retrieved: an example for who composes, and a way out. */
export interface HarnessReference {
  readonly harnessId: string
  readonly manifest: Manifest
  /** Its design card: what it is, and when to use it. */
  readonly card?: string | null
  /** Absent or null: it was never measured. */
  readonly measured?: ReferenceMeasures | null
  /** Why it was retrieved, in a sentence. */
  readonly why: string
  /**
   * An example for who composes, and a way out: the proposer `nearest` leaves it out, as nothing was seen of it on such tasks with
   * the model that is to run this one. Default false: it stands where the bank has it for what proved itself.
   */
  readonly isExample?: boolean
}

/**
 * Where references come from: a list, or a function of the task that asks a bank. The nearest come first; of a long list the
 * first five are shown to a model.
 */
export type References =
  | readonly HarnessReference[]
  | ((task: Task, features: TaskFeatures) => readonly HarnessReference[] | Promise<readonly HarnessReference[]>)
