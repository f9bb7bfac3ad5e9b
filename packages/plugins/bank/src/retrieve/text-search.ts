import MiniSearch from 'minisearch'
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

  /** The best hits, the best first. */
  find(text: string, limit: number): readonly Hit[] {
    const hits = this.#search.search(text.slice(0, MOST_QUERY), { tokenize: wordsOf })
    return hits.slice(0, limit).map(({ id }) => {
      const key = String(id)
      return { kind: key.startsWith('h') ? 'harness' : 'cluster', id: key.slice(1) }
    })
  }

  #put(document: Document): void {
    if (this.#search.has(document.id)) this.#search.replace(document)
    else this.#search.add(document)
  }
}

const MOST_QUERY = 4_000

/** Each word of a query once: every one makes a table of all that it is found in, and a task says "the" often. */
function wordsOf(text: string): string[] {
  return [...new Set(splitWords(text.toLowerCase()))]
}

const splitWords = MiniSearch.getDefault('tokenize') as (text: string) => string[]
