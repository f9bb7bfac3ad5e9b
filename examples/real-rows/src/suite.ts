import type { RunResult, Task, Tool } from '@harnesswright/core'

/** How good a result is, and why. */
export interface Score {
  /** 0 to 1. */
  readonly reward: number
  readonly detail: string
}

/** Tasks of a public benchmark with their tools and their scorer. */
export interface Suite<Row extends { readonly id: string }> {
  readonly name: string
  readonly rows: readonly Row[]
  task(row: Row): Task
  tools(row: Row): readonly Tool[]
  score(row: Row, result: RunResult): Score
  /** The score of the first reply alone that called a tool, where a benchmark looks at that. */
  scoreFirst?(row: Row, result: RunResult): Score
}
