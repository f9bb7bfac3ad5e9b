import { foldName } from './names.js'

const SHOWN = 3
const CANDIDATES = 2000
const MAX_CHARS = 100

/**
 * The paths most like a path that does not exist: those with the same name in another folder, then those with few
 * letters of difference. Empty when none is alike.
 */
export function findNearestPaths(path: string, existing: readonly string[]): readonly string[] {
  const wanted = foldName(path)
  const name = nameOf(wanted)
  const scored = existing.slice(0, CANDIDATES).flatMap((candidate) => {
    const folded = foldName(candidate)
    const score = Math.min(distance(wanted, folded), 1 + distance(name, nameOf(folded)))
    return score <= Math.max(2, Math.floor(name.length / 3)) ? [{ candidate, score }] : []
  })
  // the sort is stable and the paths come in order
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, SHOWN)
    .map(({ candidate }) => candidate)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Letters to add, remove or change. Texts that differ a lot in length are not compared. */
function distance(a: string, b: string): number {
  const most = Math.max(a.length, b.length)
  if (most > MAX_CHARS || Math.abs(a.length - b.length) > most / 2) return most
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? most
}
