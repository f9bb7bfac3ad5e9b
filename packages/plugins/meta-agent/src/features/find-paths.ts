import type { TaskFile } from '@harnesswright/core'
import type { Sentence, Word } from './read-sentences.js'
import { FILE_EXTENSIONS, FILE_NOUNS, READ_WORDS, TARGET_WORDS, WRITE_VERBS } from './vocabulary.js'

/** Files taken for a folder or a pattern of which nothing is known: enough to count as many. */
const UNKNOWN_MANY = 5

/** Most files that a range such as `p-01.txt to p-64.txt` is expanded to. */
const MAX_RANGE = 10_000

/** What an instruction and a list of files say there is to read and to write. */
export interface PathFeatures {
  /** Further things to read that are named in the instruction and of which nothing else is known. */
  readonly unlisted: number
  /** True when a file must be written. */
  readonly deliverable: boolean
}

interface Mention {
  readonly path: string
  readonly isWritten: boolean
}

/** Files, pages, folders and patterns that an instruction names, beside those that the task lists. */
export function findPaths(sentences: readonly Sentence[], listed: readonly TaskFile[]): PathFeatures {
  const known = namesOf(listed)
  const mentions = sentences.flatMap(mentionsIn)
  const isWriting = sentences.some((sentence) => sentence.some(({ lower }) => WRITE_VERBS.has(lower)))
  const isTarget = ({ path, isWritten }: Mention): boolean =>
    isFile(path) && !known.has(path) && (isWritten || (listed.length > 0 && isWriting))
  const targets = new Set(mentions.filter(isTarget).map(({ path }) => path))
  const read = new Set(mentions.map(({ path }) => path).filter((path) => !targets.has(path) && !known.has(path)))
  return {
    unlisted: [...read].reduce((sum, path) => sum + countOf(path, listed), 0) + countRanges(sentences, known),
    deliverable: targets.size > 0 || mentions.some(({ isWritten }) => isWritten) || sentences.some(writesSomeFile),
  }
}

/** Every way to name a listed file: its path, and what follows one of the slashes in it. */
function namesOf(listed: readonly TaskFile[]): ReadonlySet<string> {
  const parts = listed.map(({ path }) => path.split('/'))
  return new Set(parts.flatMap((steps) => steps.map((_, from) => steps.slice(from).join('/'))))
}

function mentionsIn(sentence: Sentence): Mention[] {
  let hasVerb = false
  let isWritten = false
  const mentions: Mention[] = []
  for (const word of sentence) {
    const { lower, text } = word
    if (WRITE_VERBS.has(lower)) hasVerb = isWritten = true
    else if (READ_WORDS.has(lower)) isWritten = false
    else if (TARGET_WORDS.has(lower)) isWritten = hasVerb
    // "Create a.txt and add what stands in b.txt": the target was named already.
    else if (lower === 'in') isWritten = hasVerb && mentions.every((mention) => !mention.isWritten)
    if (isMention(word)) mentions.push({ path: text.replace(/^\.\//, ''), isWritten })
  }
  return mentions
}

/** "Write the totals to a file", without a name. */
function writesSomeFile(sentence: Sentence): boolean {
  const verb = sentence.findIndex(({ lower }) => WRITE_VERBS.has(lower))
  return (
    verb !== -1 &&
    sentence.slice(verb).some(({ lower }, at, rest) => {
      return FILE_NOUNS.has(lower) && rest.slice(0, at).some((before) => TARGET_WORDS.has(before.lower))
    })
  )
}

function isMention({ text }: Word): boolean {
  return isPage(text) || isFile(text) || isMany(text)
}

function isPage(text: string): boolean {
  return /^https?:\/\/\S/.test(text)
}

/** A folder with a slash at its end, or a pattern. */
function isMany(text: string): boolean {
  return /^[^*?\s]*[\w-]\/$/.test(text) || (text.includes('*') && /[./]/.test(text))
}

function isFile(text: string): boolean {
  const dot = text.lastIndexOf('.')
  if (dot < 1 || isPage(text) || !/^[\p{L}\p{N}_.@~+/-]+$/u.test(text)) return false
  const extension = text.slice(dot + 1)
  if (FILE_EXTENSIONS.has(extension.toLowerCase())) return true
  return text.includes('/') && /^[A-Za-z][A-Za-z0-9]{0,4}$/.test(extension)
}

/** How many things a mention stands for, beyond the listed ones. */
function countOf(path: string, listed: readonly TaskFile[]): number {
  if (isPage(path) || !isMany(path)) return 1
  const [before = ''] = path.split('*', 1)
  const after = path.includes('*') ? path.slice(path.lastIndexOf('*') + 1) : ''
  const isCovered = listed.some((file) => file.path.startsWith(before) && file.path.endsWith(after))
  return isCovered ? 0 : UNKNOWN_MANY
}

/** Files between the two ends of ranges such as `p-01.txt to p-64.txt`, where they are not listed. */
function countRanges(sentences: readonly Sentence[], known: ReadonlySet<string>): number {
  let sum = 0
  for (const sentence of sentences) {
    for (const [at, word] of sentence.entries()) {
      const [link, end] = [sentence[at + 1], sentence[at + 2]]
      if (link === undefined || end === undefined || !isRangeWord(link)) continue
      if (isFile(word.text) && !known.has(word.text)) sum += between(word.text, end.text)
    }
  }
  return sum
}

/** True for the word between the two ends of a range. */
export function isRangeWord({ lower }: Word): boolean {
  return ['to', 'through', 'until', 'till', '-', '–', '…', '..'].includes(lower)
}

function between(first: string, last: string): number {
  const [one, other] = [numberIn(first), numberIn(last)]
  if (one === undefined || other === undefined || one.around !== other.around) return 0
  return Math.min(Math.max(0, other.value - one.value - 1), MAX_RANGE)
}

/** The last number of a path, and the path without it. */
function numberIn(path: string): { readonly value: number; readonly around: string } | undefined {
  const digits = path.match(/\d+/g)?.at(-1)
  if (digits === undefined) return undefined
  const at = path.lastIndexOf(digits)
  return { value: Number(digits), around: `${path.slice(0, at)}#${path.slice(at + digits.length)}` }
}
