/** A field or an item of the outermost value, as it is written. */
export interface JsonPart {
  /** Name of the field; undefined for an item of a list. */
  readonly key: string | undefined
  readonly text: string
}

/** A complete JSON value in a text. */
export interface ScannedJson {
  readonly start: number
  readonly end: number
  /** Fields or items in order; those that stand twice stand here twice. */
  readonly parts: readonly JsonPart[]
}

/** Where a text stops being JSON. */
export interface JsonFault {
  readonly at: number
  readonly expected: string
}

/** Deepest nesting that is followed. It bounds the work for a text of brackets that are never closed. */
const MAX_DEPTH = 64

const SPACE = /[ \t\n\r]*/y
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON texts may not hold them
  /[{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * Reads the JSON value that begins at a place, by RFC 8259, without building it and without recursion. Its fields are given
 * as they are written, so that a name that stands twice is not lost and numbers keep their digits.
 */
export function scanJson(text: string, start: number): ScannedJson | JsonFault {
  const scan = new Scan(text)
  let at = start
  do {
    at = endOf(SPACE, text, at)
    const token = text.slice(at, endOf(TOKEN, text, at))
    const expected = scan.take(token, at)
    if (expected !== undefined) return { at, expected }
    at += token.length
  } while (scan.isOpen)
  return { start, end: at, parts: scan.parts }
}

/** The whole text as JSON; undefined where it is none, or more than one value. */
export function scanWhole(text: string): ScannedJson | undefined {
  const scanned = scanJson(text, 0)
  return 'end' in scanned && endOf(SPACE, text, scanned.end) === text.length ? scanned : undefined
}

/** True for the text of a JSON object and nothing beside it. */
export function isObjectText(text: string): boolean {
  return text.trimStart().startsWith('{') && scanWhole(text) !== undefined
}

/** The line and the column of a place, from 1. */
export function placeOf(text: string, at: number): string {
  const before = text.slice(0, at)
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** What may come next: a value, a first entry or the end, a key, a colon, a comma or the end. */
type Next = 'value' | 'first' | 'key' | 'colon' | 'separator'

class Scan {
  readonly parts: JsonPart[] = []
  readonly #text: string
  readonly #closers: ('}' | ']')[] = []
  #next: Next = 'value'
  #key: string | undefined
  #from = 0

  constructor(text: string) {
    this.#text = text
  }

  get isOpen(): boolean {
    return this.#closers.length > 0
  }

  /** Takes a token, '' where the text has none; gives what was expected if it cannot stand here. */
  take(token: string, at: number): string | undefined {
    const closer = this.#closers.at(-1)
    const mayClose = this.#next === 'first' || this.#next === 'separator'
    if (token !== '' && token === closer && mayClose) {
      this.#closers.pop()
      this.#next = 'separator'
      if (this.#closers.length === 1) this.#keepPart(at + 1)
      return undefined
    }
    if (this.#next === 'separator') {
      if (token !== ',') return `"," or "${closer}"`
      this.#next = closer === '}' ? 'key' : 'value'
      return undefined
    }
    if (this.#next === 'colon') {
      this.#next = 'value'
      return token === ':' ? undefined : '":" after a name'
    }
    if (closer === '}' && this.#next !== 'value') return this.#takeKey(token)
    return this.#takeValue(token, at)
  }

  #takeKey(token: string): string | undefined {
    if (!token.startsWith('"')) return 'a name in double quotes'
    if (this.#closers.length === 1) this.#key = JSON.parse(token) as string
    this.#next = 'colon'
    return undefined
  }

  #takeValue(token: string, at: number): string | undefined {
    if (token === '' || '}],:'.includes(token)) return 'a value in JSON'
    if (this.#closers.length === 1) this.#from = at
    if (token !== '{' && token !== '[') {
      this.#next = 'separator'
      if (this.#closers.length === 1) this.#keepPart(at + token.length)
      return undefined
    }
    this.#next = 'first'
    this.#closers.push(token === '{' ? '}' : ']')
    return this.#closers.length > MAX_DEPTH ? `at most ${MAX_DEPTH} levels` : undefined
  }

  #keepPart(end: number): void {
    this.parts.push({ key: this.#key, text: this.#text.slice(this.#from, end) })
    this.#key = undefined
  }
}
