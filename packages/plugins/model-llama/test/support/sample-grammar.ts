import type { Grammar, Part } from '../../src/grammar/grammar.js'

/** Parts below each other, before the shortest way out is taken. */
const MAX_DEPTH = 24
const MAX_REPEAT = 4
const CHARS = ['a', 'Z', '0', ' ', '"', '\\', '<', 't', '/', '\n', '\u00e9', '\u{1f600}', '\ud7ff', '\uffff']

/** A text of the grammar; `draw` gives numbers from 0 to below 1. */
export function sampleText(grammar: Grammar, draw: () => number): string {
  const heights = heightsOf(grammar)
  const index = (count: number): number => Math.floor(draw() * count)

  function sample(part: Part, depth: number): string {
    switch (part.kind) {
      case 'text':
        return part.text
      case 'char':
        return part.isOther ? otherChar(part.ranges, index) : someChar(part.ranges, index)
      case 'row':
        return part.parts.map((one) => sample(one, depth + 1)).join('')
      case 'choice':
        return sample(chosen(part.parts, depth), depth + 1)
      case 'repeat': {
        const most =
          depth > MAX_DEPTH ? part.min : Math.min(part.max ?? Number.POSITIVE_INFINITY, part.min + MAX_REPEAT)
        return Array.from({ length: part.min + index(most - part.min + 1) }, () => sample(part.part, depth + 1)).join(
          '',
        )
      }
      case 'rule':
        return sample(ruleOf(grammar, part.name), depth + 1)
    }
  }

  function chosen(parts: readonly Part[], depth: number): Part {
    if (depth <= MAX_DEPTH) return parts[index(parts.length)] as Part
    return [...parts].sort((a, b) => heightOf(a, heights) - heightOf(b, heights))[0] as Part
  }

  return sample(grammar.root, 0)
}

/** Whether a whole text is one of the grammar. */
export function isTextOf(grammar: Grammar, text: string): boolean {
  const chars = Array.from(text)

  function ends(part: Part, from: ReadonlySet<number>): ReadonlySet<number> {
    switch (part.kind) {
      case 'text': {
        const wanted = Array.from(part.text)
        return where(from, (at) =>
          wanted.every((char, index) => chars[at + index] === char) ? at + wanted.length : undefined,
        )
      }
      case 'char':
        return where(from, (at) => (at < chars.length && isIn(part, chars[at] as string) ? at + 1 : undefined))
      case 'row':
        return part.parts.reduce((places, one) => (places.size === 0 ? places : ends(one, places)), from)
      case 'choice':
        return new Set(part.parts.flatMap((one) => [...ends(one, from)]))
      case 'repeat':
        return repeated(part, from)
      case 'rule':
        return ends(ruleOf(grammar, part.name), from)
    }
  }

  function repeated({ part, min, max }: Part & { kind: 'repeat' }, from: ReadonlySet<number>): ReadonlySet<number> {
    const found = new Set(min === 0 ? from : [])
    let places = from
    for (let count = 1; places.size > 0 && count <= (max ?? Number.POSITIVE_INFINITY); count++) {
      const next = ends(part, places)
      places = count >= min ? new Set([...next].filter((at) => !found.has(at))) : next
      if (count >= min) for (const at of places) found.add(at)
    }
    return found
  }

  return ends(grammar.root, new Set([0])).has(chars.length)
}

function where(from: ReadonlySet<number>, step: (at: number) => number | undefined): ReadonlySet<number> {
  return new Set([...from].flatMap((at) => step(at) ?? []))
}

function ruleOf({ rules }: Grammar, name: string): Part {
  const part = rules.get(name)
  if (part === undefined) throw new Error(`the grammar has no rule ${name}`)
  return part
}

type CharPart = Part & { readonly kind: 'char' }

function isIn({ ranges, isOther }: CharPart, char: string): boolean {
  const code = char.codePointAt(0) as number
  return ranges.some(([first, last]) => code >= first && code <= last) !== isOther
}

function someChar(ranges: CharPart['ranges'], index: (count: number) => number): string {
  const [first, last] = ranges[index(ranges.length)] ?? [0x61, 0x61]
  return String.fromCodePoint(first + index(last - first + 1))
}

function otherChar(ranges: CharPart['ranges'], index: (count: number) => number): string {
  const allowed = CHARS.filter((char) => isIn({ kind: 'char', isOther: true, ranges }, char))
  return allowed[index(allowed.length)] ?? 'x'
}

/** How many rules deep the shortest text of each rule is. */
function heightsOf({ rules }: Grammar): ReadonlyMap<string, number> {
  const heights = new Map([...rules.keys()].map((name) => [name, Number.POSITIVE_INFINITY]))
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const [name, part] of rules) {
      const height = 1 + heightOf(part, heights)
      if (height < (heights.get(name) ?? 0)) {
        heights.set(name, height)
        hasChanged = true
      }
    }
  }
  return heights
}

function heightOf(part: Part, heights: ReadonlyMap<string, number>): number {
  if (part.kind === 'rule') return heights.get(part.name) ?? Number.POSITIVE_INFINITY
  if (part.kind === 'repeat') return part.min === 0 ? 0 : heightOf(part.part, heights)
  if (part.kind === 'row') return Math.max(0, ...part.parts.map((one) => heightOf(one, heights)))
  if (part.kind === 'choice') return Math.min(...part.parts.map((one) => heightOf(one, heights)))
  return 0
}
