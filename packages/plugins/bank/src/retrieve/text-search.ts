import MiniSearch, { type SearchResult } from 'minisearch'
import type { HarnessRow } from '../index/bank-index.js'
import type { ClusterEntry } from '../log/entry.js'

/** What a search finds. */
export type Hit =
  | { readonly kind: 'harness'; readonly id: string }
  /** A task that stands for a cluster: its best harnesses are meant. */
  | { readonly kind: 'cluster'; readonly id: string }

interface Document {
  readonly id: string
  readonly text: string
}

/** BM25 over the cards of harnesses and the tasks that stand for clusters. */
export class TextSearch {
  readonly #search = new MiniSearch<Document>({ fields: ['text'] })

  /** Adds a harness, or puts its new card in the place of the old one. */
  addHarness({ id, name, card }: HarnessRow): void {
    this.#put({ id: `h${id}`, text: `${name} ${card}` })
  }

  /** Adds a cluster, or puts its new tasks in the place of the old ones. */
  addCluster({ id, exemplars }: ClusterEntry): void {
    this.#put({ id: `c${id}`, text: exemplars.map(({ text }) => text).join('\n') })
  }

  /**
   * The best hits, the best first: by the sum of the scores of their words times the number of these words, as in one search of
   * the library. It is asked for one word after another, and nothing but the score is kept of a hit: tables of all hits for all
   * words of a task would be most of the memory of a large bank.
   */
  find(text: string, limit: number): readonly Hit[] {
    const scores = new Map<string, { sum: number; words: number }>()
    const add = ({ id, score }: SearchResult): boolean => {
      const known = scores.get(id)
      if (known === undefined) scores.set(id, { sum: score, words: 1 })
      else {
        known.sum += score
        known.words += 1
      }
      return false
    }
    for (const word of wordsOf(text.slice(0, MOST_QUERY)))
      this.#search.search(word, { tokenize: (one) => [one], filter: add })
    return [...scores]
      .map(([id, { sum, words }]) => ({ id, score: sum * words }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ id }) => ({ kind: id.startsWith('h') ? 'harness' : 'cluster', id: id.slice(1) }))
  }

  #put(document: Document): void {
    if (this.#search.has(document.id)) this.#search.replace(document)
    else this.#search.add(document)
  }
}

const MOST_QUERY = 4_000

/** Each word of a task once: it says "the" often. */
function wordsOf(text: string): readonly string[] {
  return [...new Set(splitWords(text.toLowerCase()))]
}

const splitWords = MiniSearch.getDefault('tokenize') as (text: string) => string[]
