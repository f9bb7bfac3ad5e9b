import type { Status } from '@harnesswright/core'

/** One run of a bench: which harness on which task. */
export interface BenchJob {
  /** Name of the harness in this bench. */
  readonly harness: string
  /** `<world>:<size>` */
  readonly world: string
  /** Seed of the task and of the run. */
  readonly rng: number
}

/** One line of `results.jsonl`: what a run came to. */
export interface BenchRow extends BenchJob {
  readonly manifestId: string
  readonly harnessId: string
  readonly status: Status
  /** The limit that ended the run, or the code of its error; null for an answer, and where the agent gave up. */
  readonly reason: string | null
  /** From 0 to 1; null where the endpoint failed and not the harness: such a run counts in no mean. */
  readonly reward: number | null
  /** What the checker said. */
  readonly detail: string
  readonly steps: number
  readonly modelCalls: number
  /** Tokens of the tree of runs; null where the model did not say. */
  readonly inputTokens: number | null
  readonly cachedTokens: number | null
  readonly outputTokens: number | null
  /** null where a price or a count is unknown. */
  readonly usd: number | null
  /** Time on the clock of the run in ms: simulated with a simulated model. */
  readonly ms: number
}

/** The same text for the same run, and another for every other. */
export function keyOf({ harness, world, rng }: BenchJob): string {
  return JSON.stringify([harness, world, rng])
}

/** Every run of a bench, in the order of its results: by harness, then by world, then by rng. */
export function listJobs({ harnesses, worlds, rngs }: JobSpace): readonly BenchJob[] {
  return harnesses.flatMap((harness) =>
    worlds.flatMap((world) => Array.from({ length: rngs }, (_, index) => ({ harness, world, rng: index + 1 }))),
  )
}

/** What the runs of a bench are made of. */
export interface JobSpace {
  readonly harnesses: readonly string[]
  readonly worlds: readonly string[]
  /** Each harness meets the tasks of rng 1 to this in each world. */
  readonly rngs: number
}
