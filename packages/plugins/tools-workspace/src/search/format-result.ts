import { quote } from '../errors.js'
import { cutText } from '../jail/text.js'
import { countIgnoringCase, type FileSearch, type SearchResult } from './search-files.js'

const LINE_CHARS = 300
const BEFORE_MATCH_CHARS = 100

/** Writes the result as `path:line: text`, with what was left out at the end. */
export function formatResult(search: FileSearch, result: SearchResult, maxChars: number): string {
  const lines: string[] = []
  let chars = 0
  let isCut = result.hasMore
  for (const line of formatMatches(result)) {
    chars += line.length + 1
    if (chars > maxChars) {
      isCut = true
      break
    }
    lines.push(line)
  }
  if (lines.length === 0 && !isCut) lines.push(sayNothingFound(search, result))
  if (isCut)
    lines.push(`(more lines match than the ${lines.length} shown; narrow the search by path or by a longer query)`)
  if (!result.isComplete) lines.push('(not all files were searched: there are too many; give a path)')
  if (result.skipped > 0) lines.push(`(${result.skipped} binary, large or unreadable files were not searched)`)
  return lines.join('\n')
}

function* formatMatches({ texts, matches }: SearchResult): Generator<string> {
  let lines: { text: number; of: readonly string[] } = { text: -1, of: [] }
  for (const { text, line, column } of matches) {
    const searched = texts[text]
    if (searched === undefined) continue
    if (lines.text !== text) lines = { text, of: searched.content.split('\n') }
    yield `${searched.path}:${line + 1}: ${excerpt(lines.of[line] ?? '', column)}`
  }
}

function excerpt(line: string, column: number): string {
  const text = line.replace(/\r$/, '')
  if (text.length <= LINE_CHARS) return text
  const from = Math.max(0, column - BEFORE_MATCH_CHARS)
  const shown = cutText(text.slice(from).replace(/^[\udc00-\udfff]/, ''), LINE_CHARS)
  return `${from > 0 ? '…' : ''}${shown}${from + LINE_CHARS < text.length ? '…' : ''}`
}

function sayNothingFound(search: FileSearch, result: SearchResult): string {
  const kind = search.isPattern ? 'the pattern ' : ''
  const nothing = `No line matches ${kind}${quote(search.query)} in ${result.texts.length} files.`
  const others = search.isPattern ? 0 : countIgnoringCase(search.query, result)
  return others === 0 ? nothing : `${nothing} ${others} lines match when upper and lower case are the same.`
}
