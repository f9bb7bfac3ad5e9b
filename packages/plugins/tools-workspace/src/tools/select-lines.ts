import { workspaceError } from '../errors.js'
import { cutText } from '../jail/text.js'

/** Which lines of a text are wanted. */
export interface LineRange {
  /** First line, from 1. Default 1. */
  readonly offset?: number | undefined
  /** Most lines. Default: all. */
  readonly limit?: number | undefined
  /** Most characters; what goes beyond is left to the next read. */
  readonly maxChars: number
}

/**
 * The lines of a range, as they are, with a note where they are not the whole text.
 *
 * Throws `E_WORKSPACE_LIMIT` when the text ends before the range.
 */
export function selectLines(
  text: string,
  { offset = 1, limit = Number.POSITIVE_INFINITY, maxChars }: LineRange,
): string {
  const lines = splitLines(text)
  const first = offset - 1
  if (first >= Math.max(lines.length, 1)) {
    throw workspaceError('E_WORKSPACE_LIMIT', `The file has ${lines.length} lines; offset ${offset} is beyond them.`)
  }
  let end = first
  for (let chars = 0; end < lines.length && end - first < limit; end++) {
    chars += lines[end]?.length ?? 0
    if (chars > maxChars) break
  }
  if (end === first && lines.length > 0) return cutLine(lines, first, maxChars)
  const selected = lines.slice(first, end).join('')
  if (first === 0 && end === lines.length) return selected
  const more = end < lines.length ? `; go on with offset ${end + 1}` : ''
  return `${endLine(selected)}[lines ${offset} to ${end} of ${lines.length}${more}]`
}

/** One line alone is too long: its beginning. */
function cutLine(lines: readonly string[], index: number, maxChars: number): string {
  const line = lines[index] ?? ''
  const more = index + 1 < lines.length ? `; go on with offset ${index + 2}` : ''
  const note = `[line ${index + 1} of ${lines.length}, cut after ${maxChars} of its ${line.length} characters${more}]`
  return `${cutText(line, maxChars)}\n${note}`
}

function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
