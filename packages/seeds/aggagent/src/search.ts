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
  const hits = passages.flatMap((passage) => {
    const best = bestPart(passage, wanted)
    return best === undefined ? [] : [{ passage, ...best }]
  })
  return hits.toSorted((one, other) => other.score - one.score).slice(0, most)
}

/** A text taken apart. */
interface Index {
  /** Stretches without white space: where they begin and end. */
  readonly tokens: readonly { readonly start: number; readonly end: number }[]
  /** Every word in its order, with the token that it is in. */
  readonly words: readonly { readonly text: string; readonly token: number }[]
  /** Where each word stands among all. */
  readonly places: ReadonlyMap<string, readonly number[]>
}

/** The part of a passage that holds most of the query; parts overlap by half, so that nothing falls between two. */
function bestPart(passage: Passage, wanted: readonly string[]): Omit<Hit, 'passage'> | undefined {
  const { tokens, words, places } = indexOf(passage)
  const found = [...new Set(wanted)]
    .flatMap((word) => places.get(word) ?? [])
    .sort((one, other) => one - other)
    .flatMap((place) => words[place] ?? [])
  if (found.length === 0) return undefined
  let best: { from: number; common: number } | undefined
  for (let from = 0; from < tokens.length; from += HIT_WORDS / 2) {
    const inside = found.filter(({ token }) => token >= from && token < from + HIT_WORDS)
    const least = best?.common ?? 0
    const common =
      inside.length > least
        ? commonLength(
            wanted,
            inside.map(({ text }) => text),
          )
        : 0
    if (common > least) best = { from, common }
    if (from + HIT_WORDS >= tokens.length) break
  }
  if (best === undefined) return undefined
  const last = tokens[Math.min(tokens.length, best.from + HIT_WORDS) - 1]
  return { text: passage.text.slice(tokens[best.from]?.start, last?.end), score: best.common / wanted.length }
}

/** Made once for each passage: they are searched again and again. */
const indexes = new WeakMap<Passage, Index>()

function indexOf(passage: Passage): Index {
  const index = indexes.get(passage) ?? makeIndex(passage.text)
  indexes.set(passage, index)
  return index
}

function makeIndex(text: string): Index {
  const found = [...text.matchAll(/\S+/g)]
  const tokens = found.map(({ 0: token, index }) => ({ start: index, end: index + token.length }))
  const words = found.flatMap(([token], at) => wordsOf(token).map((word) => ({ text: word, token: at })))
  const places = new Map<string, number[]>()
  for (const [place, { text: word }] of words.entries()) {
    const known = places.get(word)
    if (known === undefined) places.set(word, [place])
    else known.push(place)
  }
  return { tokens, words, places }
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
