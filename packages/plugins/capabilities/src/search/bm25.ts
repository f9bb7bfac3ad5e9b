/** How soon further occurrences of a word stop counting, and how much the length of a text counts: the usual values. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** A text to be found, as how often each word is in it. */
export interface Document {
  readonly counts: ReadonlyMap<string, number>
  /** Sum of the counts. */
  readonly length: number
}

/** Words that are looked for, with what each counts. */
export type Query = ReadonlyMap<string, number>

/** A text that was found, by its place in the list. */
export interface Hit {
  readonly index: number
  readonly score: number
}

/**
 * The texts that hold words of the query, the best first; equal ones in their order in the list.
 *
 * @see BM25: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009
 */
export function rankDocuments(documents: readonly Document[], query: Query): readonly Hit[] {
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length)
  const scores = documents.map(() => 0)
  for (const [word, weight] of query) {
    const holding = documents.filter(({ counts }) => counts.has(word)).length
    const rarity = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5))
    for (const [index, { counts, length }] of documents.entries()) {
      const count = counts.get(word)
      if (count === undefined) continue
      const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength)
      scores[index] = (scores[index] ?? 0) + (weight * rarity * count * (SATURATION + 1)) / (count + norm)
    }
  }
  return scores
    .map((score, index) => ({ index, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
}
