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
  const rarities = raritiesOf(documents, query)
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length)
  return documents
    .map((document, index) => ({ index, score: scoreOf(document, { query, rarities, meanLength }) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
}

/** For each word of the query that is in some text, how much it tells one text from another. */
function raritiesOf(documents: readonly Document[], query: Query): ReadonlyMap<string, number> {
  const holding = new Map<string, number>()
  for (const { counts } of documents)
    for (const word of counts.keys()) if (query.has(word)) holding.set(word, (holding.get(word) ?? 0) + 1)
  const rarity = (count: number): number => Math.log(1 + (documents.length - count + 0.5) / (count + 0.5))
  return new Map([...holding].map(([word, count]) => [word, rarity(count)]))
}

interface Search {
  readonly query: Query
  readonly rarities: ReadonlyMap<string, number>
  readonly meanLength: number
}

function scoreOf({ counts, length }: Document, { query, rarities, meanLength }: Search): number {
  const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength)
  let score = 0
  for (const [word, count] of counts) {
    const weight = (query.get(word) ?? 0) * (rarities.get(word) ?? 0)
    score += (weight * count * (SATURATION + 1)) / (count + norm)
  }
  return score
}
