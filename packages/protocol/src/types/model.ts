import type { Choice } from './capability.js'
import type { Json, JsonSchema } from './json.js'
import type { Message, ToolCall } from './message.js'
import type { Tool } from './tool.js'

type Doing = 'act' | 'plan' | 'review' | 'research' | 'atomise' | 'aggregate' | 'judge' | 'finish'
type Remembering = 'summarise' | 'fold' | 'abstract' | 'memorise' | 'recall'
type Making = 'compose' | 'repair'

/** What a request is for: for accounting, traces and routing. Never prompt text. A module may have purposes of its own. */
export type Purpose = Doing | Remembering | Making | (string & {})

/** A request in canonical form, before a codec and a model plugin turn it into what an endpoint takes. */
export interface ModelRequest {
  readonly purpose: Purpose
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[]
  readonly choice?: Choice
  readonly parallelToolCalls?: boolean
  /** The reply is JSON of this shape. Its `title` names it. */
  readonly schema?: JsonSchema
  readonly stop?: readonly string[]
  /** Most tokens of the reply. The kernel lowers it to what the limits leave. Default: the model's, else 4,096. */
  readonly maxTokens?: number
  readonly temperature?: number
  /** A model of the environment. Default: the run's. */
  readonly model?: string
  /** Set by the kernel: the run's seed. */
  readonly seed?: number
  /** Set by the kernel: run id and child path, the key of the prompt cache. */
  readonly session?: string
}

/** Token counts of one call or of many. `null` means unknown; usage is never invented. */
export interface Usage {
  readonly inputTokens: number | null
  /** Part of `inputTokens` read from the prompt cache. */
  readonly cachedTokens: number | null
  readonly outputTokens: number | null
  /** Part of `outputTokens` spent on reasoning. */
  readonly reasoningTokens: number | null
  /** Where the counts come from. */
  readonly source: 'known' | 'estimated' | 'unknown'
}

/** Price of a model in USD per million tokens, with where and when it was read. */
export interface Price {
  readonly input: number
  /** Default: `input`. */
  readonly cached?: number
  readonly output: number
  readonly source: string
  readonly date: string
}

/** What a model says, before a codec has read it. */
export interface ModelResponse {
  readonly content: string
  readonly toolCalls?: readonly ToolCall[]
  readonly reasoning?: string
  /** Why it stopped: `stop`, `tool_calls`, `length`, `content_filter`, … */
  readonly finish: string
  /** Absent: the endpoint did not say. */
  readonly usage?: Usage
  /** Simulated time in ms, which the kernel lets pass on the environment's clock. Only simulated models have it. */
  readonly latencyMs?: number
  /** Time in ms that the request waited for its turn on the client's side, before it was sent. Default 0. */
  readonly queuedMs?: number
  readonly metadata?: Json
}

/** A response that a codec has read: canonical, whatever the wire form was. */
export interface Reply {
  readonly content: string
  readonly toolCalls: readonly ToolCall[]
  readonly reasoning?: string
  /** The answer, where the model gave one by calling `final_answer`, or in the form of the codec. */
  readonly answer?: Json
  /** What is wrong with the reply, in a sentence for the model. */
  readonly malformed?: string
  readonly finish: string
  readonly usage: Usage
  readonly wire?: { readonly codec: string; readonly content: string }
}

/** A piece of a reply as it arrives. */
export interface Delta {
  readonly text?: string
  readonly reasoning?: string
  readonly call?: { readonly index: number; readonly name?: string; readonly arguments?: string }
}

/** What a model can do. */
export interface ModelSupports {
  /** Native tool calls. */
  readonly tools?: boolean
  /** A reply bound to a JSON Schema. */
  readonly jsonSchema?: boolean
  readonly stream?: boolean
  readonly logprobs?: boolean
  /** Several calls in one reply. */
  readonly parallelToolCalls?: boolean
}

/** What is known of a model without calling it. */
export interface ModelInfo {
  readonly id: string
  /** Size of the context window in tokens. */
  readonly contextWindow?: number
  /** Most tokens of one reply. */
  readonly maxOutputTokens?: number
  readonly supports: ModelSupports
  readonly price?: Price
  /** True for a stand-in that is no language model. */
  readonly simulated?: boolean
}

/** What `generate` gets beside the request. */
export interface GenerateOptions {
  readonly signal: AbortSignal
  /** Called with each piece of the reply as it arrives. */
  readonly onDelta?: (delta: Delta) => void
  /** Called before each wait for another attempt. */
  readonly onRetry?: (retry: Retry) => void
  /** Called with what was odd in a reply and did not stop it. */
  readonly onWarning?: (message: string) => void
}

/** A request that failed and is made again. */
export interface Retry {
  /** The attempt that comes now: 2 is the first that is made again. */
  readonly attempt: number
  /** Time in ms before it. */
  readonly delayMs: number
  /** Code of the failure. */
  readonly code: string
}

/** A model: the one door through which every model call goes, whoever makes it. */
export interface Model extends ModelInfo {
  /**
   * Answers one request.
   *
   * @throws HarnessError `E_MODEL_*` by class: auth, bad_request, content_filter, rate_limit, overloaded, transport,
   * timeout, context_overflow.
   */
  generate(request: ModelRequest, options: GenerateOptions): Promise<ModelResponse>
}

/** Turns canonical requests into what an endpoint takes, and its response into a canonical reply. */
export interface Codec {
  readonly name: string
  /** The request as it is sent. */
  encode(request: ModelRequest): ModelRequest
  /** The response to a request, read. */
  decode(response: ModelResponse, request: ModelRequest): Reply
}
