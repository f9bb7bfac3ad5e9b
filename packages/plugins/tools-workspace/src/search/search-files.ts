import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasCode, workspaceError } from '../errors.js'
import type { Place } from '../jail/place.js'
import { type FileReader, openReader } from '../jail/read-file.js'
import { readTree } from '../jail/read-tree.js'
import { isBinary } from '../jail/text.js'
import { type LineMatch, matchLiteral } from './match-literal.js'
import { matchPattern } from './match-pattern.js'

/** What to look for, and where. */
export interface FileSearch {
  readonly query: string
  /** A folder or a file. Empty: everywhere. */
  readonly path: string
  /** The query is a regular expression. */
  readonly isPattern: boolean
  readonly signal: AbortSignal
}

/** A text that was searched. */
interface SearchedText {
  readonly path: string
  readonly content: string
}

/** What was found, and what was left out. */
export interface SearchResult {
  readonly texts: readonly SearchedText[]
  /** In the order of paths and lines; at most `limits.searchMatches`. */
  readonly matches: readonly LineMatch[]
  /** More lines match than are given. */
  readonly hasMore: boolean
  /** Files that are binary, too large or gone. */
  readonly skipped: number
  /** False when a limit ended the search before the last file. */
  readonly isComplete: boolean
}

/** Looks for lines in the files below a path. Rejects with `E_WORKSPACE_*`, or with the signal's reason. */
export async function searchFiles(place: Place, search: FileSearch): Promise<SearchResult> {
  if (/[\n\r]/.test(search.query)) {
    throw workspaceError('E_WORKSPACE_PATTERN', 'The query has a line break; lines are searched one by one.')
  }
  const { texts, ...collected } = await collectTexts(place, search)
  const { searchMatches, patternTimeoutMs: timeoutMs } = place.limits
  const maxMatches = searchMatches + 1
  const contents = texts.map(({ content }) => content)
  const { query: pattern, signal, isPattern } = search
  const found = isPattern
    ? await matchPattern({ pattern, texts: contents, maxMatches, timeoutMs, signal })
    : matchAll(pattern, contents, maxMatches)
  return { ...collected, texts, matches: found.slice(0, searchMatches), hasMore: found.length > searchMatches }
}

async function collectTexts(place: Place, search: FileSearch) {
  const reader = openReader(place)
  try {
    return await readTexts(place, reader, search)
  } finally {
    reader.close()
  }
}

async function readTexts(place: Place, reader: FileReader, { path, signal }: FileSearch) {
  const { files, isComplete } = readTree(place, path)
  const texts: SearchedText[] = []
  let skipped = 0
  let left = place.limits.searchBytes
  for (const file of files) {
    await nextTurn(undefined, { signal }) // others get their turn, and an abort is seen
    const isTooLarge = file.sizeBytes > place.limits.fileBytes
    if (!isTooLarge && file.sizeBytes > left) return { texts, skipped, isComplete: false }
    const content = isTooLarge ? undefined : tryToRead(reader, file.path, place.limits.fileBytes)
    if (content === undefined) {
      skipped++
      continue
    }
    left -= file.sizeBytes
    texts.push({ path: file.path, content })
  }
  return { texts, skipped, isComplete }
}

function tryToRead(reader: FileReader, path: string, maxBytes: number): string | undefined {
  try {
    const { bytes } = reader.read(path, maxBytes)
    return isBinary(bytes) ? undefined : bytes.toString('utf8')
  } catch (error) {
    // what cannot be read, or changed since it was listed, is counted as skipped
    if (hasCode(error, 'E_WORKSPACE_LIMIT', 'E_WORKSPACE_CHANGED', 'E_WORKSPACE_MISSING', 'E_WORKSPACE_SYSTEM')) return
    if (hasCode(error, 'E_WORKSPACE_KIND', 'E_WORKSPACE_LINK')) return
    throw error
  }
}

function matchAll(query: string, contents: readonly string[], maxMatches: number): readonly LineMatch[] {
  const matches: LineMatch[] = []
  for (const [text, content] of contents.entries()) {
    for (const match of matchLiteral(query, content)) {
      matches.push({ text, ...match })
      if (matches.length >= maxMatches) return matches
    }
  }
  return matches
}

/** How many lines would match if upper and lower case were the same. */
export function countIgnoringCase(query: string, { texts }: SearchResult): number {
  const lower = query.toLowerCase()
  return matchAll(
    lower,
    texts.map(({ content }) => content.toLowerCase()),
    Number.POSITIVE_INFINITY,
  ).length
}
