import { joinPointer } from './pointer.js'

/** Deepest nesting of a manifest; the manifest itself is level 1. */
export const MAX_DEPTH = 32

/** Where a text stops being JSON, or nests too deep. Before a first key and its colon a brace is one of prose. */
export interface ScanFault {
  readonly kind: 'prose' | 'syntax' | 'depth'
  readonly at: number
  readonly pointer: string
  readonly expected: string
}

/** A complete object, and pointers to the keys that stand in one object of it a second time. */
export interface ScannedObject {
  readonly start: number
  readonly end: number
  readonly duplicates: readonly string[]
}

const SPACE = /[ \t\n\r]*/y
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON texts may not hold them
  /[{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * Reads one JSON object by RFC 8259, in one pass, without recursion and without building it: `JSON.parse` silently keeps
 * the last of two equal keys, recurses, and words its errors differently in every engine.
 */
export function scanObject(text: string, start: number): ScannedObject | ScanFault {
  const scan = new Scan()
  let end = start
  do {
    const at = matchEnd(SPACE, text, end)
    end = matchEnd(TOKEN, text, at)
    const expected = scan.take(text.slice(at, end))
    if (expected !== undefined) return { kind: scan.kind, at, pointer: scan.pointer, expected }
  } while (scan.levels.length > 0)
  return { start, end, duplicates: scan.duplicates }
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

interface Level {
  /** Keys so far; undefined for a list. */
  readonly keys: Set<string> | undefined
  /** Key or index of the value under way. */
  token: string | number | undefined
}

/** What was read so far, and what may come next: a value, a first entry or the end, a key, a colon, a comma or the end. */
class Scan {
  readonly duplicates: string[] = []
  readonly levels: Level[] = []
  kind: ScanFault['kind'] = 'prose'
  #next: 'value' | 'first' | 'key' | 'colon' | 'separator' = 'value'

  get pointer(): string {
    return this.levels.reduce((base, { token }) => (token === undefined ? base : joinPointer(base, token)), '')
  }

  /** Takes a token, '' where the text has none; gives what was expected if it cannot stand here. */
  take(token: string): string | undefined {
    const level = this.levels.at(-1)
    const end = level?.keys === undefined ? ']' : '}'
    if (token === end && (this.#next === 'first' || this.#next === 'separator')) {
      this.levels.pop()
      this.#next = 'separator'
    } else if (this.#next === 'separator') {
      if (token !== ',') return `"," or "${end}"`
      this.#next = level?.keys === undefined ? 'value' : 'key'
    } else if (this.#next === 'colon') {
      if (token !== ':') return '":" after a key'
      this.kind = 'syntax'
      this.#next = 'value'
    } else if (level?.keys !== undefined && this.#next !== 'value') {
      if (!token.startsWith('"')) return 'a key in double quotes'
      level.token = JSON.parse(token) as string
      if (level.keys.has(level.token)) this.duplicates.push(this.pointer)
      level.keys.add(level.token)
      this.#next = 'colon'
    } else return this.#takeValue(token, level)
    return undefined
  }

  #takeValue(token: string, level: Level | undefined): string | undefined {
    if (level !== undefined && level.keys === undefined) level.token = Number(level.token ?? -1) + 1
    if (token === '' || '}],:'.includes(token))
      return 'a value: {, [, a text in double quotes, a number, true, false or null'
    const isOpening = token === '{' || token === '['
    this.#next = isOpening ? 'first' : 'separator'
    if (isOpening) this.levels.push({ keys: token === '{' ? new Set() : undefined, token: undefined })
    if (this.levels.length <= MAX_DEPTH) return undefined
    this.kind = 'depth'
    return `at most ${MAX_DEPTH} levels`
  }
}
