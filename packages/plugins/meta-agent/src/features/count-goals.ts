import type { Json } from '@harnesswright/core'
import { findCounts } from './find-counts.js'
import type { Sentence } from './read-sentences.js'
import { ASK_VERBS, LEAD_WORDS } from './vocabulary.js'

/** What a task asks for, as far as it can be counted. */
export interface GoalInput {
  readonly sentences: readonly Sentence[]
  readonly listItems: number
  readonly inputs?: Json | undefined
}

/**
 * Separate things that are asked for: the most of the items of a list, the names in rows of names, counted things, the
 * values of an input list, and the sentences that are requests. At least 1.
 */
export function countGoals({ sentences, listItems, inputs }: GoalInput): number {
  const counted = sentences.flatMap(findCounts).filter(({ isAsked }) => isAsked)
  const requests = sentences.filter(isRequest).length
  const named = new Set(sentences.flatMap(namesInRows)).size
  return Math.max(1, listItems, named, requests, longestList(inputs), ...counted.map(({ count }) => count))
}

function isRequest(sentence: Sentence): boolean {
  const first = sentence.find(({ lower }) => !LEAD_WORDS.has(lower))
  return first !== undefined && ASK_VERBS.has(first.lower)
}

/** Names that stand in a row: "Alba, Borm and Cersk". One name alone is none. */
function namesInRows(sentence: Sentence): readonly string[] {
  const words = sentence.filter(({ isAside }) => !isAside)
  const rows: string[][] = [[]]
  for (let at = 0; at < words.length; ) {
    const name = readName(words, at)
    if (name === undefined) {
      rows.push([])
      at += 1
      continue
    }
    rows.at(-1)?.push(name.text)
    const joins = JOINS.has(words[name.end]?.lower ?? '')
    if (!joins && !name.mark.includes(',')) rows.push([])
    at = joins ? name.end + 1 : name.end
  }
  return rows.filter((row) => row.length > 1).flat()
}

const JOINS: ReadonlySet<string> = new Set(['and', 'or', '&'])

interface Name {
  readonly text: string
  /** Index of the word after it. */
  readonly end: number
  /** The punctuation after it. */
  readonly mark: string
}

/** A run of words with capitals, which may go on with numbers. A request at the head of its sentence is no name. */
function readName(words: Sentence, start: number): Name | undefined {
  const parts: string[] = []
  let mark = ''
  for (const { text, lower, mark: after } of words.slice(start, start + MAX_NAME_WORDS)) {
    if (start === 0 && parts.length === 0 && (ASK_VERBS.has(lower) || LEAD_WORDS.has(lower))) break
    if (!(parts.length === 0 ? NAME_HEAD : NAME_TAIL).test(text)) break
    parts.push(text)
    mark = after
    if (after !== '') break
  }
  return parts.length === 0 ? undefined : { text: parts.join(' '), end: start + parts.length, mark }
}

const MAX_NAME_WORDS = 5
const NAME_HEAD = /^\p{Lu}[\p{L}'’-]*$/u
const NAME_TAIL = /^[\p{Lu}\p{N}][\p{L}\p{N}'’-]*$/u

/** Items of the longest list in the task's inputs. */
function longestList(inputs: Json | undefined): number {
  let longest = 0
  const open: (Json | undefined)[] = [inputs]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) longest = Math.max(longest, value.length)
    for (const item of Object.values(value)) open.push(item)
  }
  return longest
}
