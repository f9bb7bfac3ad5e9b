import { fstatSync, readSync } from 'node:fs'

/** A line of a file, without its end. */
export interface Line {
  readonly text: string
  /** Where it begins, in bytes. */
  readonly start: number
  /** Where the next one begins. */
  readonly end: number
}

const CHUNK = 1 << 20
const NEWLINE = 0x0a

/**
 * Lines of an open file from a place on. What stands after the last newline is no line yet, for who writes it may be at it,
 * unless the file is said to be whole. A chunk of the file is in memory at a time, and the longest line.
 */
export function* readLines(file: number, from: number, isWhole = false): Generator<Line> {
  let rest: Buffer = Buffer.alloc(0)
  let start = from
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, fstatSync(file).size - from)))
  for (let at = from; ; ) {
    const length = readSync(file, chunk, 0, chunk.length, at)
    if (length === 0) break
    at += length
    const bytes = Buffer.concat([rest, chunk.subarray(0, length)])
    let begin = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, begin)) {
      yield { text: bytes.toString('utf8', begin, end), start: start + begin, end: start + end + 1 }
      begin = end + 1
    }
    rest = bytes.subarray(begin)
    start += begin
  }
  if (isWhole && rest.length > 0) yield { text: rest.toString('utf8'), start, end: start + rest.length }
}
