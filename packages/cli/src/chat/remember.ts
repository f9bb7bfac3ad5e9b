import type { Message, ModelInfo } from '@harnesswright/core'
import { utf8Length } from '@harnesswright/core/manifest'

/** Most tokens of earlier turns: memories keep a view of some 20,000, of which these are the part that they leave alone. */
const MOST_TOKENS = 8_000
/** Most of the window of a model that they fill. */
const MOST_FILL = 0.25
/** Where they are too many, they are cut to this share, so that the next cut, which costs the prompt cache, is far. */
const CUT_TO = 0.5
/** Tokens of a byte of text, and of what stands around a message, as the kernel estimates them. */
const TOKENS_PER_BYTE = 0.3
const TOKENS_AROUND = 4

/** Most tokens that earlier turns take in the requests to a model. */
export function rememberedTokens({
  contextWindow = Number.POSITIVE_INFINITY,
}: Pick<ModelInfo, 'contextWindow'>): number {
  return Math.floor(Math.min(MOST_TOKENS, MOST_FILL * contextWindow))
}

type Turn = readonly Message[]

/**
 * The earlier turns of a conversation as the next one is told of them: whole while they fit, then the oldest as question and
 * answer alone, then without the oldest. It follows from the turns alone, and between two cuts only grows, so that what was sent
 * before stays the beginning of what is sent.
 *
 * @param turns - Each as it was, the oldest first, a question first in it and words of the assistant last.
 */
export function remember(turns: readonly Turn[], mostTokens: number): readonly Message[] {
  let kept: readonly Turn[] = []
  let left = 0
  for (const turn of turns) {
    const all = [...kept, turn]
    kept = tokensOf(all) > mostTokens ? cut(all, CUT_TO * mostTokens) : all
    left += all.length - kept.length
  }
  return left === 0 ? kept.flat() : withNote(kept.flat(), left)
}

/** The turns in so many tokens: each cut goes as far as it must, from the oldest on. */
function cut(turns: readonly Turn[], tokens: number): readonly Turn[] {
  let kept = turns
  for (let index = 0; index < turns.length && tokensOf(kept) > tokens; index++) {
    kept = kept.with(index, inShort(kept[index] as Turn))
  }
  while (kept.length > 1 && tokensOf(kept) > tokens) kept = kept.slice(1)
  // A character is a byte at least, and as many as four.
  const chars = Math.floor(tokens / TOKENS_PER_BYTE / 4 / 2)
  return tokensOf(kept) > tokens ? kept.map((turn) => turn.map((message) => clipped(message, chars))) : kept
}

/** Question and answer. */
function inShort(turn: Turn): Turn {
  const question = turn.find(({ role, note }) => role === 'user' && note === undefined)
  const answer = turn.findLast(({ role, toolCalls = [] }) => role === 'assistant' && toolCalls.length === 0)
  return [question, answer].flatMap((message) => (message === undefined ? [] : [plain(message)]))
}

/** Role and words, without what was thought. */
function plain({ role, content }: Message): Message {
  return { role, content: textOf(content) }
}

function clipped(message: Message, chars: number): Message {
  const text = textOf(message.content)
  if (text.length <= chars) return message
  const [head, tail] = [text.slice(0, chars / 2), text.slice(-chars / 2)]
  return {
    role: message.role,
    content: `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`,
  }
}

/** Said in the first message, as two of one role in a row are too many for some models. */
function withNote([first, ...others]: Turn, left: number): readonly Message[] {
  if (first === undefined) return []
  const note = `[${left} earlier ${left === 1 ? 'turn' : 'turns'} of this conversation left out]`
  return [{ ...first, content: `${note}\n\n${textOf(first.content)}` }, ...others]
}

function textOf(content: Message['content']): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n')
}

function tokensOf(turns: readonly Turn[]): number {
  return turns.flat().reduce((sum, { content, toolCalls = [], reasoning = '' }) => {
    const calls = toolCalls.length === 0 ? '' : JSON.stringify(toolCalls)
    return sum + utf8Length(textOf(content) + calls + reasoning) * TOKENS_PER_BYTE + TOKENS_AROUND
  }, 0)
}
