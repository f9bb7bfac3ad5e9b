import type { Manifest } from '@harnesswright/core'
import type { TaskOutcome } from '../lab/units.js'

/** What is expected of a proposal before it runs, against its parent. */
export interface Prediction {
  /** Change of the mean reward. */
  readonly reward: number
  /** Change of the natural logarithm of the mean cost. */
  readonly logUsd: number
}

/** A manifest that is proposed, and what is expected of it. */
export interface Candidate {
  readonly name: string
  readonly manifest: Manifest
  readonly operator: 'mutate' | 'crossover' | 'random'
  readonly change: string
  /** What the change brings in, by which what was learned of one proposal is used for the next. */
  readonly traits: readonly string[]
  readonly prediction: Prediction
}

/** What a proposal came to. */
export interface Judged extends Candidate {
  /** `screened`: worse on the first tasks, and not run on the others. `kept`: the best so far. `dropped`: not better. */
  readonly verdict: 'screened' | 'kept' | 'dropped'
  /** Tasks that it was run on. */
  readonly tasks: number
  /** Changes against its parent on these tasks; null where one is unknown. */
  readonly outcome: { readonly reward: number | null; readonly logUsd: number | null }
}

/** The best of a search so far. */
export interface Elite {
  readonly name: string
  readonly manifest: Manifest
  /** What it came to on the training tasks. */
  readonly outcomes: readonly TaskOutcome[]
}
