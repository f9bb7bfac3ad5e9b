import type { ModelRequest, Price } from '@harnesswright/core'

/** Share of the limits of a task that its composition may take. */
export const SHARE = 0.2
/** Tokens that an endpoint may add around each message. */
const OVERHEAD_TOKENS = 16
/** Tokens of a reply that has no bound of its own. */
const REPLY_TOKENS = 4_096
/** The text is prose and JSON of our own, of which no usual tokenizer makes more. */
export const TOKENS_PER_BYTE = 0.5

/** What a request takes at most: tokens of it and its reply, and USD where there is a price. */
export function boundOf(
  { messages, schema, tools, maxTokens = REPLY_TOKENS }: ModelRequest,
  price: Price | undefined,
): { readonly tokens: number; readonly usd: number } {
  const around = bytesOf(schema ?? '') + bytesOf(tools ?? '')
  const sent = messages.reduce((sum, { content }) => sum + bytesOf(content) + OVERHEAD_TOKENS, around) * TOKENS_PER_BYTE
  const usd = price === undefined ? 0 : (sent * price.input + maxTokens * price.output) / 1e6
  return { tokens: sent + maxTokens, usd }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
}
