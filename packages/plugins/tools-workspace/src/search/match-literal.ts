/** A line that matches: of which text, which line and where in it, all from 0. */
export interface LineMatch {
  readonly text: number
  readonly line: number
  readonly column: number
}

/** Finds the lines of a text that hold the query as it is. */
export function* matchLiteral(query: string, content: string): Generator<Omit<LineMatch, 'text'>> {
  let line = 0
  let start = 0
  while (start <= content.length) {
    const at = content.indexOf(query, start)
    if (at < 0) return
    for (let end = content.indexOf('\n', start); end >= 0 && end < at; end = content.indexOf('\n', start)) {
      line++
      start = end + 1
    }
    yield { line, column: at - start }
    const end = content.indexOf('\n', at)
    if (end < 0) return
    line++
    start = end + 1
  }
}
