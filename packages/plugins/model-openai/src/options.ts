import type { Clock, JsonObject, Price } from '@harnesswright/core'
import type { Preset } from './preset.js'
import type { PresetName } from './presets.js'
import type { Fetch } from './transport/send-by-fetch.js'

/** How much may be asked of an endpoint in a minute. Shared by all models of the process with one key, address and name. */
export interface RateLimits {
  readonly requestsPerMinute?: number
  /** Tokens in and out. */
  readonly tokensPerMinute?: number
}

/** Which model, where, and how it is spoken to. */
export interface OpenAiModelOptions {
  /** Name of the model at the endpoint. */
  readonly model: string
  /** Id in the environment. Default: `model`. */
  readonly id?: string
  /** What is known of the endpoint. Default: `openai` without a `baseUrl`, else `compatible`. */
  readonly preset?: PresetName
  /** Fields of the preset that are otherwise here. */
  readonly dialect?: Partial<Omit<Preset, 'name' | 'verified'>>
  /** Address up to and without `/chat/completions`. Default: the preset's. */
  readonly baseUrl?: string
  /** Default: none is sent. The environment is never read. */
  readonly apiKey?: string
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Further fields of every request body, such as `{ enable_thinking: false }`. Those of the request win. With
   * `{ logprobs: true }` the `metadata` of a response has the sum of the log-probabilities of its tokens, and their number.
   */
  readonly body?: JsonObject
  /** Whether the model has tool calls of its own. Without, `auto` in a manifest is the codec `json`. Default: as the preset says. */
  readonly tools?: boolean
  /** Size of the context window in tokens. */
  readonly contextWindow?: number
  /** Most tokens of one reply. */
  readonly maxOutputTokens?: number
  /** Price with its source and date. Default: unknown, and the cost of a run then is too. */
  readonly price?: Price
  /** Default: none. */
  readonly limits?: RateLimits
  /** Longest silence between two pieces of a reply in ms. Default 60,000. Given, it bounds every other silence too, and a silence is tried again once. */
  readonly idleMs?: number
  /** Longest wait for a connection in ms. Default 10,000. Not seen with a `fetch` of the host. */
  readonly connectMs?: number
  /** Longest wait for the first byte in ms. Default 120,000; 600,000 for presets that are local or think. */
  readonly firstByteMs?: number
  /** Whether reasoning is sent back: `echo` all of it, `strip` it, or `auto` as the preset says. Default `auto`. */
  readonly reasoning?: 'echo' | 'strip' | 'auto'
  /** Asks for usage at the end of a stream. Default: as the preset says. Off for servers that refuse `stream_options`. */
  readonly streamUsage?: boolean
  /** Sends requests instead of the sockets of Node.js. */
  readonly fetch?: Fetch
  /** Time of waits and limits. Default: the clock of the computer. A clock that simulates time does not suit, as lines are real. */
  readonly clock?: Clock
  /** Numbers in [0, 1) for the jitter of waits. Default: `Math.random`. */
  readonly random?: () => number
}
