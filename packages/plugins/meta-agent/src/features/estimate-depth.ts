import type { Sentence } from './read-sentences.js'
import { CHAIN_WORDS, CLAUSE_SEQUENCE_WORDS, ORDINAL_WORDS, SEQUENCE_WORDS } from './vocabulary.js'

/**
 * Length of the longest chain of things that wait for each other, from 1: words such as "then" and "next", ordinal
 * numbers, hops such as "the capital of the country of the author", and chains in which each thing leads to the next.
 *
 * @param things - How many things there are to go through: the length of such a chain.
 */
export function estimateDepth(sentences: readonly Sentence[], things: number): number {
  const words = sentences.flat()
  const sequence = sentences.reduce((sum, sentence) => sum + countSequence(sentence), 0)
  const ordinals = new Set(words.map(({ lower }) => lower).filter((lower) => ORDINAL_WORDS.has(lower))).size
  const hops = Math.max(0, ...sentences.map(countHops))
  return Math.max(1 + sequence, ordinals, hops, sentences.some(isChain) ? things : 1)
}

function countSequence(sentence: Sentence): number {
  return sentence.filter(({ lower }, at) => {
    const before = sentence[at - 1]
    const startsClause = before === undefined || before.endsClause || before.lower === 'and'
    return SEQUENCE_WORDS.has(lower) || (startsClause && CLAUSE_SEQUENCE_WORDS.has(lower))
  }).length
}

/** "Each leads to the next", "every one names the one before". */
function isChain(sentence: Sentence): boolean {
  const each = sentence.findIndex(({ lower }) => lower === 'each' || lower === 'every')
  return each !== -1 && sentence.slice(each).some(({ lower }) => CHAIN_WORDS.has(lower))
}

/** Most nouns that hang on each other in one clause: of, of, and possessives. */
function countHops(sentence: Sentence): number {
  let most = 0
  let hops = 0
  for (const { lower, endsClause } of sentence) {
    if (lower === 'of' || /.['’]s$/.test(lower)) hops += 1
    most = Math.max(most, hops)
    if (endsClause || lower === 'and') hops = 0
  }
  return most
}
