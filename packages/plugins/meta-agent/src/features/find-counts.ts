import { isRangeWord } from './find-paths.js'
import type { Sentence, Word } from './read-sentences.js'
import {
  ASK_VERBS,
  BEFORE_REQUESTS,
  LEAD_WORDS,
  MEASURE_NOUNS,
  NUMBER_WORDS,
  PHRASE_ENDS,
  RANK_WORDS,
  READABLE_NOUNS,
} from './vocabulary.js'

/** A number of things that an instruction speaks of. */
export interface Count {
  readonly count: number
  /** The things can be read, as pages and files can. */
  readonly isReadable: boolean
  /** Something is asked for each of them: "make twelve visits". */
  readonly isAsked: boolean
}

/** Words between a number and its noun, at most: "64 old log parts". */
const MAX_ADJECTIVES = 3

/** Words between a verb and the number, at most: "find the heights of these twelve towers". */
const MAX_DISTANCE = 6

/** Larger numbers are amounts and years, not things to go through. */
const MAX_COUNT = 1_000

/** Every number of things in a sentence: "64 log parts", "parts 3 to 12". Amounts and years are none. */
export function findCounts(sentence: Sentence): readonly Count[] {
  return sentence.flatMap((word, at) => [...countBefore(sentence, at, word), ...rangeAfter(sentence, at, word)])
}

function countBefore(sentence: Sentence, at: number, word: Word): Count[] {
  const count = readCount(word)
  const noun = count === undefined ? undefined : nounAfter(sentence, at)
  if (count === undefined || noun === undefined || MEASURE_NOUNS.has(noun)) return []
  return [{ count, isReadable: READABLE_NOUNS.has(noun), isAsked: isAsked(sentence, at) }]
}

function rangeAfter(sentence: Sentence, at: number, { lower }: Word): Count[] {
  if (!isPlural(lower) || MEASURE_NOUNS.has(lower)) return []
  const range = readRange(sentence.slice(at + 1, at + 4))
  if (range === undefined) return []
  return [{ count: range, isReadable: READABLE_NOUNS.has(lower), isAsked: isAsked(sentence, at) }]
}

function readCount({ lower, endsClause }: Word): number | undefined {
  if (endsClause) return undefined
  const count = NUMBER_WORDS.get(lower) ?? (/^\d{1,3}(?:,\d{3})*$|^\d{1,5}$/.test(lower) ? toNumber(lower) : undefined)
  return count === undefined || count < 2 || count > MAX_COUNT ? undefined : count
}

function toNumber(text: string): number {
  return Number(text.replaceAll(',', ''))
}

/** The last plural of the few words after a number. */
function nounAfter(sentence: Sentence, at: number): string | undefined {
  let noun: string | undefined
  for (const { lower, endsClause } of sentence.slice(at + 1, at + 2 + MAX_ADJECTIVES)) {
    if (PHRASE_ENDS.has(lower) || !/^[a-z-]+$/.test(lower)) return noun
    if (isPlural(lower)) noun = lower
    if (endsClause) return noun
  }
  return noun
}

function isPlural(lower: string): boolean {
  return lower === 'people' || (/^[a-z-]*[a-z]{2}s$/.test(lower) && !/(?:ss|us|is)$/.test(lower))
}

/** "3 to 12", "3-12": how many that is. */
function readRange([first, link, last]: readonly Word[]): number | undefined {
  const joined = /^(\d{1,5})[-–](\d{1,5})$/.exec(first?.lower ?? '')
  const ends = joined?.slice(1) ?? (link !== undefined && isRangeWord(link) ? [first?.lower, last?.lower] : [])
  const [from, to] = ends.map((end) => (end !== undefined && /^\d{1,5}$/.test(end) ? Number(end) : undefined))
  return from === undefined || to === undefined || to <= from ? undefined : Math.min(to - from + 1, MAX_COUNT)
}

/** True when a request a few words before is about the things: "find the height of these twelve towers". */
function isAsked(sentence: Sentence, at: number): boolean {
  if (RANK_WORDS.has(sentence[at - 1]?.lower ?? '')) return false
  for (let before = at - 1; before >= Math.max(0, at - MAX_DISTANCE); before -= 1) {
    const { lower, endsClause } = sentence[before] as Word // within the sentence
    if (endsClause) return false
    if (ASK_VERBS.has(lower)) return asksAt(sentence, before)
    if (PHRASE_ENDS.has(lower)) return false
  }
  return false
}

/** True when the verb at this place is a request, and not what somebody does. */
function asksAt(sentence: Sentence, at: number): boolean {
  const before = sentence[at - 1]
  if (before === undefined || before.endsClause || BEFORE_REQUESTS.has(before.lower)) return true
  return sentence.slice(0, at).every(({ lower }) => LEAD_WORDS.has(lower))
}
