/** What a run may use, as far as it matters for the choice of a harness. */
export interface BudgetFeatures {
  /** Input and output tokens of the run. */
  readonly tokens: number
  /** Steps of the run. */
  readonly steps: number
  /** USD of the run; `null` is no limit. */
  readonly usd: number | null
}

/**
 * What can be told of a task without running it: from its words and files, the tools on offer, the model and the limits.
 *
 * Nothing here comes from an id, a metadata field or the name of a suite.
 */
export interface TaskFeatures {
  /** Files that the task lists. */
  readonly files: number
  /** Distinct things to read: listed files, files and pages that the instruction names, counted parts. */
  readonly sources: number
  /** Sources, or things looked for, of which nothing says how large they are. */
  readonly unsizedSources: number
  /** Tokens of everything there is to observe, each thing once. What has no known size is taken as large. */
  readonly expectedObservationTokens: number
  /** Size of the model's context window in tokens; `null` when it is unknown. */
  readonly contextWindow: number | null
  /** `expectedObservationTokens / contextWindow`; `null` when the window is unknown. */
  readonly windowShare: number | null
  /** Length of the longest chain of things that wait for each other, from 1. */
  readonly dependencyDepth: number
  /** True when a file must be written. */
  readonly deliverable: boolean
  /** Separate things that are asked for, from 1. */
  readonly goals: number
  /** Least steps of a harness that reads one source a step. */
  readonly leastSteps: number
  /** Tokens of a run that reads everything once and sends nothing but its head again. No run takes much less. */
  readonly leastTokens: number
  /** Price of `leastTokens` in USD; `null` when the model has no known price. */
  readonly leastUsd: number | null
  readonly budget: BudgetFeatures
  /** True when a tool reads by path, address or the like. */
  readonly hasReadTool: boolean
  /** True when a tool writes content to a path. */
  readonly hasWriteTool: boolean
  /** True when a tool takes a query. */
  readonly hasSearchTool: boolean
}
