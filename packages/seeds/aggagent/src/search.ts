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
    const best = bestPart(passage.text, wanted, known)
    return best === undefined ? [] : [{ passage, ...best }]
  })
  return hits.toSorted((one, other) => other.score - one.score).slice(0, most)
}

/** The part of a text that holds most of the query; parts overlap by half, so that nothing falls between two. */
function bestPart(
  text: string,
  wanted: readonly string[],
  known: ReadonlySet<string>,
): Omit<Hit, 'passage'> | undefined {
  const tokens = [...text.matchAll(/\S+/g)]
  let best: { from: number; score: number } | undefined
  for (let from = 0; from < tokens.length; from += HIT_WORDS / 2) {
    const words = tokens.slice(from, from + HIT_WORDS).flatMap(([token]) => wordsOf(token))
    const found = words.filter((word) => known.has(word))
    const score = found.length === 0 ? 0 : commonLength(wanted, found) / wanted.length
    if (score > (best?.score ?? 0)) best = { from, score }
    if (from + HIT_WORDS >= tokens.length) break
  }
  if (best === undefined) return undefined
  const last = tokens[Math.min(tokens.length, best.from + HIT_WORDS) - 1]
  const part = text.slice(tokens[best.from]?.index, last === undefined ? undefined : last.index + last[0].length)
  return { text: part, score: best.score }
}

/** Words and numbers of a text, in lower case, without what stands around them. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.:/_-][\p{L}\p{N}]+)*/gu) ?? []
}

/** Length of the longest sequence of words that both have in the same order, with others between. */
export function commonLength(one: readonly string[], other: readonly string[]): number {
  let above = new Array<number>(one.length + 1).fill(0)
  for (const word of other) {
    const line = [0]
    for (const [index, wanted] of one.entries()) {
      const longer = Math.max(above[index + 1] ?? 0, line[index] ?? 0)
      line.push(word === wanted ? (above[index] ?? 0) + 1 : longer)
    }
    above = line
  }
  return above.at(-1) ?? 0
}
