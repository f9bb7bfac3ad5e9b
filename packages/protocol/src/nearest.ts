// Longer names are compared by their beginnings, so that the work for text from outside is bounded.
const MAX_COMPARED = 100

/**
 * The names most like a given one, the most alike first; names that hold it, or that it holds, come before the others.
 * Upper and lower case count as the same.
 */
export function nearestNames(name: string, candidates: Iterable<string>, count = 3): string[] {
  const scored = Array.from(new Set(candidates), (candidate) => ({ candidate, score: distanceRatio(name, candidate) }))
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
  return scored.slice(0, count).map(({ candidate }) => candidate)
}

/** True when a name is so like another that it is that name mistyped. */
export function isMisspelling(name: string, of: string): boolean {
  if (Math.abs(name.length - of.length) > 2 || name.length > MAX_COMPARED) return false
  return editDistance(name.toLowerCase(), of.toLowerCase()) <= (of.length < 6 ? 1 : 2)
}

/** 0 for equal texts, 1 for texts with nothing in common. */
function distanceRatio(name: string, candidate: string): number {
  const [a, b] = [name.slice(0, MAX_COMPARED).toLowerCase(), candidate.slice(0, MAX_COMPARED).toLowerCase()]
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length >= 3 && long.includes(short)) return (1 - short.length / long.length) / 10
  return editDistance(a, b) / Math.max(1, long.length)
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const at = (cells: readonly number[], back: number): number => cells[column - back] ?? Number.POSITIVE_INFINITY
      const replaced = at(above, 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      line.push(Math.min(at(above, 0) + 1, at(line, 1) + 1, replaced, isSwap ? at(before, 2) + 1 : replaced))
    }
    before = above
    above = line
  }
  return above[b.length] ?? 0
}
