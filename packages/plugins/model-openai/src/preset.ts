/** How an endpoint is told the shape of a structured reply. */
export interface StructuredDialect {
  /** `json_schema` or `json_object` of `response_format`; with `text` and `json_object` the schema stands in a last message. */
  readonly form: 'json_schema' | 'json_object' | 'text'
  /** Asks for `strict`: every object closed, every property required, what may be left out nullable. Default false. */
  readonly strict?: boolean
  /** `response_format` may stand beside tools. Default true; else the schema stands in a last message. */
  readonly withTools?: boolean
}

/** What an endpoint takes and gives, as data. Every field but `name` and `verified` has a default. */
export interface Preset {
  readonly name: string
  /** What of it was seen: nothing, recorded replies, or live ones. */
  readonly verified: 'none' | 'recorded' | 'live'
  /** Address up to and without `/chat/completions`. */
  readonly baseUrl?: string
  /** Environment variable in which the key is usually kept. Read by hosts, never here. */
  readonly keyVariable?: string
  /** On this computer or network: the first byte may take 600 s. */
  readonly local?: boolean
  /** Thinks before it speaks: the first byte may take 600 s. */
  readonly thinks?: boolean
  /** Default `{ form: 'json_schema' }`. */
  readonly structured?: StructuredDialect
  /**
   * Whose reasoning is sent back in the mode `auto`: of every assistant message, of those that make calls, or of none.
   * Default `calls`.
   */
  readonly echo?: 'all' | 'calls' | 'none'
  /** Field of an assistant message in which reasoning is sent, until a reply shows the endpoint's own. Default `reasoning_content`. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning'
  /** A message with calls is refused without its reasoning: one that has none is sent with an empty one. Default false. */
  readonly needsReasoning?: boolean
  /** An assistant message without text is sent as null, or as "" where null is refused. Default `null`. */
  readonly emptyContent?: 'null' | 'text'
  /** Asks for usage at the end of a stream. Default true. */
  readonly streamUsage?: boolean
  /** Default `max_tokens`. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** Takes tools and gives calls of its own. Default true. */
  readonly tools?: boolean
  /** `auto` when the endpoint takes no other choice of tools. Default `any`. */
  readonly toolChoice?: 'any' | 'auto'
  /** Takes `parallel_tool_calls`. Default false. */
  readonly parallelToolCalls?: boolean
  /** Takes `seed`. Default true. */
  readonly seed?: boolean
  /** Takes `prompt_cache_key`, and gets the session as one. Default false. */
  readonly cacheKey?: boolean
  /** How the endpoint tells the log-probabilities of a text that is given to it. Default: it does not. */
  readonly scoring?: 'vllm' | 'sglang'
  /** Gets the purpose of a request as `metadata.purpose`. Default false: purposes are not for endpoints. */
  readonly purpose?: boolean
  /** Takes an `Idempotency-Key`: all attempts of one call have the same one. Default false. */
  readonly idempotencyKey?: boolean
  /** The endpoint leaves calls as text markers in the content, even after native ones. Default false. */
  readonly textCalls?: boolean
  /** Price and window are those of a stand-in that is no language model. */
  readonly simulated?: boolean
}
