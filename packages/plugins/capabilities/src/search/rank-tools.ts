import type { Tool } from '@harnesswright/core'
import { type Query, rankDocuments } from './bm25.js'
import { documentOf } from './document.js'
import { wordsOf } from './words.js'

/** A text that is looked for, with what each of its words counts. */
export type WeightedText = readonly [text: string, weight: number]

/** Words of several texts. What is said in more than one counts more; how often it is said in one does not matter. */
export function queryOf(texts: readonly WeightedText[]): Query {
  const query = new Map<string, number>()
  for (const [text, weight] of texts)
    for (const word of new Set(wordsOf(text))) query.set(word, (query.get(word) ?? 0) + weight)
  return query
}

/** The tools that fit a query, the best first, at most so many. */
export function rankTools(tools: readonly Tool[], query: Query, top: number): readonly Tool[] {
  return rankDocuments(tools.map(documentOf), query)
    .slice(0, top)
    .flatMap(({ index }) => tools[index] ?? [])
}
