import type { Clock } from '@harnesswright/core'
import type { Sampling } from './engine/sampling.js'

/** Which model file, and how it runs. */
export interface LlamaModelOptions {
  /** Path of a GGUF file. Give this, or `weights` and `folder`. */
  readonly file?: string
  /** Name of weights in the table, such as `smollm2-135m-instruct`; they are to be in `folder`. See `fetchWeights`. */
  readonly weights?: string
  /** Where fetched weights are. */
  readonly folder?: string
  /** Id in the environment. Default: the name of the weights, else that of the file without its ending. */
  readonly id?: string
  /** Size of the context window in tokens. It takes memory. Default: 8,192, or what the model was trained with where that is less. */
  readonly contextTokens?: number
  /**
   * Conversations of which what was read is kept, 1 to 16: with 1 a plan or a summary between two steps puts the steps out, and they
   * are read again. Each takes the memory of a context. Default 2.
   */
  readonly conversations?: number
  /** Most tokens of one reply. Default 1,024, or half of the context where that is less. */
  readonly maxOutputTokens?: number
  /**
   * Threads that evaluate. More than there are free cores make it many times slower. Default: half of what the computer
   * can run at once, at least 1.
   */
  readonly threads?: number
  /** Default: what the makers of the weights recommend, where the table says so. A request's own temperature wins. */
  readonly sampling?: Sampling
  /** For requests without a seed of their own. Default 0. */
  readonly seed?: number
  /** Time of waits and measures. Default: the clock of the computer. */
  readonly clock?: Clock
}
