/** What a composing model said of a task before it wrote a manifest: kept to be compared with what the run came to. */
export interface TaskAnalysis {
  /** Id of the model. */
  readonly by: string
  /** What the task needs, in a few sentences. */
  readonly text: string
  /** What the harness is expected to come to; `null` where the model gave no number. */
  readonly predicted: {
    /** From 0 to 1. */
    readonly reward: number | null
    /** Input and output tokens of the run. */
    readonly tokens: number | null
    readonly steps: number | null
  }
}
