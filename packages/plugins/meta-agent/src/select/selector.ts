import type { Catalog, Environment, Manifest, Task } from '@harnesswright/core'
import type { HarnessReference } from '../compose/reference.js'
import type { Spending } from '../model/spending.js'
import type { Likelihood, Written } from '../proposers/proposer.js'
import type { TaskAnalysis } from '../proposers/task-analysis.js'

/** How one of several manifests that passed every check is chosen. None is run on the task. */
export type SelectName = 'first-valid' | 'judge' | 'logprob' | 'diverse'

/** A manifest that passed every check. */
export interface SelectCandidate {
  readonly manifest: Manifest
  readonly analysis?: TaskAnalysis
  readonly likelihood?: Likelihood
  readonly written?: Written
}

/** What was chosen, and why. */
export interface Selection {
  readonly how: SelectName
  /** Place among the candidates that passed, from 0. */
  readonly chosen: number
  /** A score for each of them; what it means the reason says. */
  readonly scores: readonly (number | null)[]
  /** Where log-probabilities come from, for `logprob`: the endpoint was given each text, or told them as it wrote. */
  readonly source?: 'prompt' | 'generation'
  /** Sum of the log-probabilities of each, for `logprob`. */
  readonly sums?: readonly (number | null)[]
  readonly reason: string
}

/** What a choice is made with. */
export interface SelectInput {
  readonly task: Task
  readonly catalog: Catalog
  readonly env: Environment
  readonly references: readonly HarnessReference[]
  readonly spending: Spending
  readonly signal?: AbortSignal
}

/** Chooses one of at least two candidates. */
export type Selector = (candidates: readonly SelectCandidate[], input: SelectInput) => Selection | Promise<Selection>

/** The first, with why nothing else decided. */
export function firstOf(how: SelectName, candidates: readonly SelectCandidate[], reason: string): Selection {
  return { how, chosen: 0, scores: candidates.map(() => null), reason }
}
