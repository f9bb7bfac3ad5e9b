import type { Passage } from './rollouts.js'

/** Words of one hit. */
const HIT_WORDS = 150

/** Longest query in words: what is longer is cut. */
const MAX_QUERY_WORDS = 60

/** A part of a passage, and the share of the query that it holds. */
export interface Hit {
  readonly passage: Passage
  readonly text: string
  /** 0 to 1: words of the query that stand in the part in their order (recall of ROUGE-L). */
  readonly score: number
}

/** The parts of passages that hold most of a query, the best first; of equal ones the earlier. */
export function searchPassages(passages: readonly Passage[], query: string, most: number): readonly Hit[] {
  const wanted = wordsOf(query).slice(0, MAX_QUERY_WORDS)
  const known = new Set(wanted)
  const hits = passages.flatMap((passage) => {
    const best = bestPart(passage, wanted, known)
    return best === undefined ? [] : [{ passage, ...best }]
  })
  return hits.toSorted((one, other) => other.score - one.score).slice(0, most)
}

/** A stretch of a text without white space, and the words in it. */
interface Token {
  readonly start: number
  readonly end: number
  readonly words: readonly string[]
}

/** The part of a passage that holds most of the query; parts overlap by half, so that nothing falls between two. */
function bestPart(
  passage: Passage,
  wanted: readonly string[],
  known: ReadonlySet<string>,
): Omit<Hit, 'passage'> | undefined {
  const tokens = tokensOf(passage)
  let best: { from: number; score: number } | undefined
  for (let from = 0; from < tokens.length; from += HIT_WORDS / 2) {
    const words = tokens.slice(from, from + HIT_WORDS).flatMap((token) => token.words)
    const found = words.filter((word) => known.has(word))
    const score = found.length === 0 ? 0 : commonLength(wanted, found) / wanted.length
    if (score > (best?.score ?? 0)) best = { from, score }
    if (from + HIT_WORDS >= tokens.length) break
  }
  if (best === undefined) return undefined
  const last = tokens[Math.min(tokens.length, best.from + HIT_WORDS) - 1]
  return { text: passage.text.slice(tokens[best.from]?.start, last?.end), score: best.score }
}

/** Found once for each passage: they are searched again and again. */
const taken = new WeakMap<Passage, readonly Token[]>()

function tokensOf(passage: Passage): readonly Token[] {
  const tokens =
    taken.get(passage) ??
    Array.from(passage.text.matchAll(/\S+/g), ({ 0: token, index: start }) => {
      return { start, end: start + token.length, words: wordsOf(token) }
    })
  taken.set(passage, tokens)
  return tokens
}

/** Words and numbers of a text, in lower case, without what stands around them. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.:/_-][\p{L}\p{N}]+)*/gu) ?? []
}

/** Length of the longest sequence of words that both have in the same order, with others between. */
export function commonLength(one: readonly string[], other: readonly string[]): number {
  const lengths = new Uint32Array(one.length + 1)
  for (const word of other) {
    let before = 0 // what stood one place to the left before this word
    for (let place = 1; place <= one.length; place++) {
      const above = lengths[place] as number
      lengths[place] = word === one[place - 1] ? before + 1 : Math.max(above, lengths[place - 1] as number)
      before = above
    }
  }
  return lengths[one.length] as number
}
