import type { LlamaModel, Token } from 'node-llama-cpp'

/** Most tokens of one character: one a byte. */
const MAX_PENDING = 4
/** Tokens before, which tell how the next ones are spaced. */
const CONTEXT = 8

/** Turns tokens into text as they come. */
export interface TextReader {
  /** The text that is whole with this token. */
  push(token: Token): string
  /** What was not whole, when no more comes. */
  end(): string
}

/** A character may be spread over tokens: it is given when it is whole. Bytes that are none become U+FFFD. */
export function createTextReader(model: Pick<LlamaModel, 'detokenize'>): TextReader {
  const before: Token[] = []
  let pending: Token[] = []

  function take(): string {
    const text = model.detokenize(pending, false, before)
    before.push(...pending)
    before.splice(0, before.length - CONTEXT)
    pending = []
    return text
  }

  return {
    push(token) {
      pending.push(token)
      const isPartial = model.detokenize(pending, false, before).endsWith('\ufffd')
      return isPartial && pending.length < MAX_PENDING ? '' : take()
    },
    end: () => (pending.length === 0 ? '' : take()),
  }
}
