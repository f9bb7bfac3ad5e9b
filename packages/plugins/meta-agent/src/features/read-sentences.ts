/** A word of an instruction. */
export interface Word {
  /** Without the punctuation around it. */
  readonly text: string
  readonly lower: string
  /** The punctuation after it. */
  readonly mark: string
  /** True when a comma, colon or the like stands after it. */
  readonly endsClause: boolean
  /** True inside parentheses. */
  readonly isAside: boolean
}

/** The words of one sentence or list item. */
export type Sentence = readonly Word[]

/** Wording is read so far; what is longer is mostly data. */
const MAX_CHARS = 40_000

const BLOCK = /\n[ \t]*\n|\n(?=[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t])/
const OPENING = /^["'“‘([`]+/
const CLOSING: ReadonlySet<string> = new Set('"\'”’)]`,;:.!?…')
const LIST_MARK = /^(?:[-*•]|\d{1,3}[.)])$/

/** The sentences of a text. Forms of answers in braces are left out: they are no wording. Time is linear in the text. */
export function readSentences(text: string): readonly Sentence[] {
  return withoutForms(text.slice(0, MAX_CHARS)).split(BLOCK).flatMap(sentencesOf)
}

/** Lines that begin as the items of a list do. */
export function countListItems(text: string): number {
  const lines = withoutForms(text.slice(0, MAX_CHARS)).split('\n')
  return lines.filter((line) => /^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+\S/.test(line)).length
}

function sentencesOf(block: string): Sentence[] {
  const sentences: Word[][] = [[]]
  let depth = 0
  for (const raw of block.split(/\s+/)) {
    if (raw === '' || LIST_MARK.test(raw)) continue
    if (raw.startsWith('(')) depth += 1
    const { text, mark } = splitWord(raw)
    if (text !== '') {
      const endsClause = /[,;:.!?]/.test(mark)
      sentences.at(-1)?.push({ text, lower: text.toLowerCase(), mark, endsClause, isAside: depth > 0 })
    }
    if (mark.includes(')')) depth = Math.max(0, depth - 1)
    if (/[.!?;…]/.test(mark)) {
      depth = 0
      sentences.push([])
    }
  }
  return sentences.filter((sentence) => sentence.length > 0)
}

/** The word, and the punctuation after it. */
function splitWord(raw: string): { readonly text: string; readonly mark: string } {
  let end = raw.length
  while (end > 0 && CLOSING.has(raw[end - 1] ?? '')) end -= 1
  return { text: raw.slice(0, end).replace(OPENING, ''), mark: raw.slice(end) }
}

/** The text with everything in balanced braces blanked. */
function withoutForms(text: string): string {
  const kept: string[] = []
  let from = 0
  let start = -1
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') {
      if (depth === 0) start = at
      depth += 1
    } else if (text[at] === '}' && depth > 0) {
      depth -= 1
      if (depth > 0) continue
      kept.push(text.slice(from, start), ' ')
      from = at + 1
    }
  }
  return kept.join('') + text.slice(from)
}
