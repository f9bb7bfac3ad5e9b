/** Where a JSON value stands in its text. */
export interface Place {
  readonly start: number
  readonly end: number
  /** Of an object, in the order of the text. */
  readonly members?: readonly Member[]
  /** Of a list. */
  readonly items?: readonly Place[]
}

/** One key of an object and its value. */
interface Member {
  readonly key: string
  /** Where the key begins, and where it ends. */
  readonly start: number
  readonly keyEnd: number
  readonly place: Place
}

/** An object in its text. */
export interface ObjectPlace extends Place {
  readonly members: readonly Member[]
}

const SPACE = /[ \t\n\r]*/y
const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/y
const OTHER = /[^\s,\]}]+/y

/** The places of a text that is JSON and nests no deeper than a manifest may. */
export function readPlaces(text: string): Place {
  return readValue(text, matchEnd(SPACE, text, 0))
}

/** What lies at a path of keys and numbers; undefined when there is nothing. */
export function placeAt(root: Place, path: readonly (string | number)[]): Place | undefined {
  return path.reduce<Place | undefined>(
    (at, part) => (typeof part === 'number' ? at?.items?.[part] : at?.members?.find(({ key }) => key === part)?.place),
    root,
  )
}

function readValue(text: string, start: number): Place {
  if (text[start] === '{') return readObject(text, start)
  if (text[start] === '[') return readList(text, start)
  return { start, end: matchEnd(text[start] === '"' ? TEXT : OTHER, text, start) }
}

function readObject(text: string, start: number): ObjectPlace {
  const members: Member[] = []
  let at = matchEnd(SPACE, text, start + 1)
  while (text[at] !== '}') {
    const keyEnd = matchEnd(TEXT, text, at)
    const colon = matchEnd(SPACE, text, keyEnd)
    const place = readValue(text, matchEnd(SPACE, text, colon + 1))
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, start: at, keyEnd, place })
    at = nextEntry(text, place.end)
  }
  return { start, end: at + 1, members }
}

function readList(text: string, start: number): Place {
  const items: Place[] = []
  let at = matchEnd(SPACE, text, start + 1)
  while (text[at] !== ']') {
    const item = readValue(text, at)
    items.push(item)
    at = nextEntry(text, item.end)
  }
  return { start, end: at + 1, items }
}

/** Where the next entry begins, or the bracket that ends them. */
function nextEntry(text: string, end: number): number {
  const at = matchEnd(SPACE, text, end)
  return text[at] === ',' ? matchEnd(SPACE, text, at + 1) : at
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
