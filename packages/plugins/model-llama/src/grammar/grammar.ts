/** Code points from the first to the last. */
export type CodeRange = readonly [first: number, last: number]

/** What a text may be, as a tree. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** One character: of these ranges, or of none of them. */
  | { readonly kind: 'char'; readonly isOther: boolean; readonly ranges: readonly CodeRange[] }
  | { readonly kind: 'row'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max?: number }
  | { readonly kind: 'rule'; readonly name: string }

/** Rules by name, and the part that a whole text is. */
export interface Grammar {
  readonly root: Part
  readonly rules: ReadonlyMap<string, Part>
}

/** Most repetitions that llama.cpp takes in one place. */
const MAX_REPEATS = 2_000

export const text = (value: string): Part => ({ kind: 'text', text: value })
export const row = (...parts: readonly Part[]): Part => ({ kind: 'row', parts })
export const choice = (...parts: readonly Part[]): Part => ({ kind: 'choice', parts })
export const optional = (...parts: readonly Part[]): Part => repeat(row(...parts), 0, 1)

/** The part so many times. A bound above what llama.cpp takes is left out. */
export function repeat(part: Part, min: number, max?: number): Part {
  const least = Math.min(min, MAX_REPEATS)
  return { kind: 'repeat', part, min: least, ...(max === undefined || max > MAX_REPEATS ? {} : { max }) }
}

/** One of these characters; `a-z` is a range. */
export const charOf = (set: string): Part => ({ kind: 'char', isOther: false, ranges: rangesOf(set) })

/** One character that is none of these. */
export const charNotOf = (set: string): Part => ({ kind: 'char', isOther: true, ranges: rangesOf(set) })

function rangesOf(set: string): readonly CodeRange[] {
  const ranges: CodeRange[] = []
  const chars = Array.from(set, (char) => char.codePointAt(0) as number)
  for (let at = 0; at < chars.length; at++) {
    const first = chars[at] as number
    const last = chars[at + 1] === 0x2d ? chars[at + 2] : undefined
    ranges.push([first, last ?? first])
    if (last !== undefined) at += 2
  }
  return ranges
}

/** Rules that are being written. */
export interface RuleBook {
  readonly rules: Map<string, Part>
  /** Names a part; the name is made of the hint, and new. */
  add(hint: string, part: Part): Part
  /** Takes a name whose part comes later, as it refers to itself. */
  reserve(hint: string): { readonly ref: Part; define(part: Part): void }
  /** The rule of that name, made at its first use. */
  once(name: string, make: () => Part): Part
}

export function createRuleBook(): RuleBook {
  const rules = new Map<string, Part>()
  let count = 0
  const reserve: RuleBook['reserve'] = (hint) => {
    count += 1
    const name = `${hint.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 24)}-${count}`
    return { ref: { kind: 'rule', name }, define: (part) => void rules.set(name, part) }
  }
  return {
    rules,
    reserve,
    add: (hint, part) => {
      const { ref, define } = reserve(hint)
      define(part)
      return ref
    },
    once: (name, make) => {
      if (!rules.has(name)) {
        rules.set(name, text('')) // it may refer to itself
        rules.set(name, make())
      }
      return { kind: 'rule', name }
    },
  }
}
