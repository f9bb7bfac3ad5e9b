/** Weights of the words of a text. */
type Vector = ReadonlyMap<string, number>

/**
 * How new each text is before the one that follows it: 1 − the cosine of their TF-IDF vectors, from 0 for the same words to 1 for
 * none in common. The last, which nothing follows, is 1. How rare a word is follows from all the texts.
 */
export function noveltiesOf(texts: readonly string[]): readonly number[] {
  const counts = texts.map(countWords)
  const vectors = counts.map((one) => weigh(one, counts))
  return vectors.map((vector, at) => {
    const next = vectors[at + 1]
    return next === undefined ? 1 : 1 - cosine(vector, next)
  })
}

/** Counted once for each text: a view is scored anew at every step. The oldest are forgotten. */
const counted = new Map<string, Vector>()
const MOST_COUNTED = 500

function countWords(text: string): Vector {
  const known = counted.get(text)
  if (known !== undefined) return known
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  if (counted.size >= MOST_COUNTED) counted.delete(counted.keys().next().value ?? '')
  counted.set(text, counts)
  return counts
}

function weigh(counts: Vector, all: readonly Vector[]): Vector {
  return new Map(
    [...counts].map(([word, count]) => {
      const holding = all.filter((one) => one.has(word)).length
      return [word, count * (1 + Math.log((1 + all.length) / (1 + holding)))]
    }),
  )
}

function cosine(one: Vector, other: Vector): number {
  let product = 0
  for (const [word, weight] of one) product += weight * (other.get(word) ?? 0)
  const lengths = lengthOf(one) * lengthOf(other)
  return lengths === 0 ? 0 : Math.min(1, product / lengths)
}

function lengthOf(vector: Vector): number {
  return Math.sqrt([...vector.values()].reduce((sum, weight) => sum + weight * weight, 0))
}
