import type { Json, Task, Tool } from '@harnesswright/core'
import type { ToolLatency } from './latency.js'

/** `small` fits every window and every horizon: there the simplest harness is right. `large` does not. */
export type WorldSize = 'small' | 'large'

/** Which task a world generates. The same options give the same task, byte for byte. */
export interface WorldOptions {
  /** Default `small`. */
  readonly size?: WorldSize
  /** Seed of the task, any integer. Default 1. */
  readonly rng?: number
  /** Tools on offer that the task does not need, 0 to 64. Default 4. */
  readonly distractors?: number
}

/** What the checker looks at: the answer, and the workspace as the run left it. */
export interface CheckInput {
  /** The answer of the run, if there is one. */
  readonly answer?: Json
  /** Text of a file in the workspace; undefined when there is none. */
  readFile(path: string): Promise<string | undefined>
}

/** What the checker says. */
export interface CheckResult {
  /** From 0 to 1. */
  readonly reward: number
  /** True for a reward of 1. */
  readonly passed: boolean
  /** What is right and what is not, in a line or two. */
  readonly detail: string
}

/** One generated task: real files, real tools, and a checker that reads the result. */
export interface WorldTask {
  /** The task. Its files have texts: the host writes them into the workspace before the run. */
  readonly task: Task
  /** The world's own tools, beside those of the workspace. */
  readonly tools: readonly Tool[]
  /** Simulated time of one call of a workspace tool in ms: see {@link withLatency}. */
  readonly toolLatencyMs: ToolLatency
  /** Most steps of a run, unless the host says otherwise. */
  readonly stepLimit: number
  /** Compares what the run left behind with the instance as it was generated. */
  check(input: CheckInput): Promise<CheckResult>
}

/** A generator of tasks of one family. */
export interface World {
  /** As it is written on a command line. */
  readonly name: string
  /** What the family stresses, in a sentence. */
  readonly summary: string
  /** The sizes in which it generates tasks. */
  readonly sizes: readonly WorldSize[]
  /** Most steps of a run, unless the host says otherwise. */
  readonly stepLimit: number
  /**
   * Generates one task.
   *
   * @throws HarnessError `E_WORLDS_OPTION` when the size is unknown or a number is out of range.
   */
  generate(options?: WorldOptions): WorldTask
}
