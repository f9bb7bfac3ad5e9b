/** A run of numbers, both ends included. */
export type NumberRange = readonly [first: number, last: number]

/** Regular expression source for numbers in words: `7`, `1 to 9`, `1 to 4, 6 and 8 to 10`. */
export const RANGES = String.raw`\d+(?: to \d+)?(?:(?:, | and )\d+(?: to \d+)?)*`

/** Most numbers that a text may name at once: a longer range is no plan of anybody. */
const MOST_NUMBERS = 10_000

/** The runs of a set of numbers, in order. */
export function toRanges(numbers: Iterable<number>): readonly NumberRange[] {
  const ranges: [number, number][] = []
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last !== undefined && number === last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges
}

/** Ranges in words. */
export function wordRanges(ranges: readonly NumberRange[]): string {
  const words = ranges.map(([first, last]) => (first === last ? String(first) : `${first} to ${last}`))
  const last = words.pop() ?? ''
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`
}

/** The numbers that words name. */
export function readRanges(words: string): readonly number[] {
  const numbers: number[] = []
  for (const [, first = '', last = first] of words.matchAll(/(\d+)(?: to (\d+))?/g)) {
    const end = Math.min(Number(last), Number(first) + MOST_NUMBERS)
    for (let number = Number(first); number <= end; number++) numbers.push(number)
  }
  return numbers
}
