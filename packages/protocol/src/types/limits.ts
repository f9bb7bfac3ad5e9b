/** What a run may use at most. The effective limit is the minimum of the host's, the parent's and the manifest's. */
export interface Limits {
  /** Steps of the run. Default 40. */
  readonly steps: number
  /** Input and output tokens of the tree. Default 1,000,000. */
  readonly tokens: number
  /** Money of the tree in USD. Default: no limit. */
  readonly usd: number
  /** Time of the run in ms on the environment's clock. Default 600,000. */
  readonly ms: number
  /** Tool calls of the run. Default 200. */
  readonly toolCalls: number
  /** Most calls of a tool by its name. Default: none named. */
  readonly perTool: Readonly<Record<string, number>>
  /** Levels of child runs below the root. Default 3. */
  readonly depth: number
  /** Calls of one step and sub-runs of one spawn at once. Default 4. */
  readonly concurrency: number
  /** Same tool, arguments and result this often in a row: the model is told, and the next repeat ends the run. Default 3. */
  readonly repeats: number
  /** Share of tokens and money kept aside for the closing answer, 0 to 1. Default 0.05. */
  readonly reserve: number
}
