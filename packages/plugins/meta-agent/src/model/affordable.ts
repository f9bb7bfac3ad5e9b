import type { Limits, Model, ModelRequest } from '@harnesswright/core'

/** Share of the limits of a task that its composition may take. */
const SHARE = 0.2
/** Tokens that an endpoint may add around each message. */
const OVERHEAD_TOKENS = 16

/** How many of some requests may be made, so that composing takes a fifth of the limits at most. */
export function affordable(request: ModelRequest, model: Model, limits: Limits): number {
  const { messages, schema, maxTokens = 0 } = request
  const sent = messages.reduce((sum, { content }) => sum + bytesOf(content) + OVERHEAD_TOKENS, bytesOf(schema ?? ''))
  const byTokens = (limits.tokens * SHARE) / (sent * TOKENS_PER_BYTE + maxTokens)
  const { price } = model
  const usd = price === undefined ? 0 : (sent * TOKENS_PER_BYTE * price.input + maxTokens * price.output) / 1e6
  const byUsd = usd > 0 && Number.isFinite(limits.usd) ? (limits.usd * SHARE) / usd : Number.POSITIVE_INFINITY
  return Math.floor(Math.min(byTokens, byUsd))
}

/** The text is prose and JSON of our own, of which no usual tokenizer makes more. */
const TOKENS_PER_BYTE = 0.5

function bytesOf(value: unknown): number {
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
}
