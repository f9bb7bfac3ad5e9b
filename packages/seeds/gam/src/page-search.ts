/** How soon further occurrences of a word stop counting, and how much the length of a text counts: the usual values. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** A page to be searched. */
export interface SearchPage {
  readonly id: number
  readonly text: string
}

/**
 * Ids of the pages that hold words of the queries, the best first, of equal ones the newer.
 *
 * @see BM25: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009
 */
export function searchPages(pages: readonly SearchPage[], queries: readonly string[]): readonly number[] {
  const words = new Set(queries.flatMap(wordsOf))
  const counted = pages.map(({ id, text }) => ({ id, ...countOf(text, words) }))
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length)
  const holding = (word: string): number => counted.filter(({ counts }) => counts.has(word)).length
  const rarity = new Map(
    [...words].map((word) => [word, Math.log(1 + (pages.length - holding(word) + 0.5) / (holding(word) + 0.5))]),
  )
  return counted
    .map(({ id, counts, length }) => {
      const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength)
      const terms = [...counts].map(([word, count]) => {
        return ((rarity.get(word) ?? 0) * count * (SATURATION + 1)) / (count + norm)
      })
      return { id, score: terms.reduce((sum, term) => sum + term, 0) }
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || other.id - one.id)
    .map(({ id }) => id)
}

/** How often the words are in a text, and how many words it has. */
function countOf(text: string, words: ReadonlySet<string>) {
  const all = wordsOf(text)
  const counts = new Map<string, number>()
  for (const word of all) if (words.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { counts, length: all.length }
}

/** The stretch of a text that holds most of the different words of the queries, the first of equal ones. */
export function snippetOf(text: string, queries: readonly string[], chars: number): string {
  if (text.length <= chars) return text
  const words = new Set(queries.flatMap(wordsOf))
  let best = { from: 0, found: -1 }
  for (let from = 0; from < text.length; from += Math.ceil(chars / 2)) {
    const found = new Set(wordsOf(text.slice(from, from + chars)).filter((word) => words.has(word))).size
    if (found > best.found) best = { from, found }
  }
  const end = best.from + chars
  const cut = text.slice(best.from, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${best.from > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu) ?? []
}
