import { hashText } from './dice.js'
import type { Fact, Mention, Problem, Reader } from './reader.js'
import { Recent } from './recent.js'

/** A line with the whole answer of a candidate: its number, and the answer. */
export const CANDIDATE_LINE = /^[ \t>*#-]*(?:Candidate|Expert|Solution|Rollout) (\d+)\**[ \t]*[:.)-]\**[ \t]*(\S.*)$/gm

/** What one reader finds in one text. */
interface Reading {
  /** Facts, without what candidates say. */
  readonly facts: readonly Fact[]
  /** Imperatives outside `<context>`: what is handed over there is known, not asked for. */
  readonly mentions: readonly Mention[]
}

/** What is found in one text, each part when it is first asked for. */
interface TextReading {
  readonly hash: number
  of(reader: Reader): Reading
  /** The problem that the text states, with the reader that reads it. */
  task(): { readonly reader: Reader; readonly problem: Problem } | undefined
}

/** Reads texts, each once: a long history then costs a walk over a map. */
export interface TextReader {
  read(text: string): TextReading
}

/** Characters of text that are remembered in each of two generations, and what an entry counts beside its text. */
const KEPT_CHARS = 16_000_000
const ENTRY_CHARS = 64

/** A text reader for these families of tasks. */
export function createTextReader(readers: readonly Reader[]): TextReader {
  const texts = new Recent<TextReading>(KEPT_CHARS, (text) => text.length + ENTRY_CHARS)
  return {
    read(text) {
      const known = texts.get(text)
      if (known !== undefined) return known
      const reading = createReading(text, readers)
      texts.set(text, reading)
      return reading
    },
  }
}

function createReading(text: string, readers: readonly Reader[]): TextReading {
  const byReader = new Map<Reader, Reading>()
  let task: ReturnType<TextReading['task']> | null = null
  return {
    hash: hashText(text),
    of(reader) {
      let reading = byReader.get(reader)
      if (reading === undefined) {
        reading = { facts: readFacts(text, reader), mentions: readMentions(text, reader) }
        byReader.set(reader, reading)
      }
      return reading
    },
    task() {
      if (task === null) task = findTask(text, readers)
      return task
    },
  }
}

function findTask(text: string, readers: readonly Reader[]): ReturnType<TextReading['task']> {
  const [statement = ''] = text.split('<context>', 1)
  for (const reader of readers) {
    const problem = reader.task(statement)
    if (problem !== undefined) return { reader, problem }
  }
  return undefined
}

/** What a candidate says is to be judged, and no fact. */
function readFacts(text: string, reader: Reader): readonly Fact[] {
  const facts = reader.facts(text)
  if (facts.length === 0) return facts
  const said = [...text.matchAll(CANDIDATE_LINE)].map(({ index, 0: { length } }) => [index, index + length] as const)
  return said.length === 0 ? facts : facts.filter(({ end }) => !said.some(([from, to]) => end > from && end <= to))
}

function readMentions(text: string, reader: Reader): readonly Mention[] {
  const mentions = reader.mentions(text)
  if (mentions.length === 0 || !text.includes('<context>')) return mentions
  const handedOver = [...text.matchAll(/<context>[\s\S]*?(?:<\/context>|$)/g)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  )
  return mentions.filter(({ start }) => !handedOver.some(([from, to]) => start >= from && start < to))
}
