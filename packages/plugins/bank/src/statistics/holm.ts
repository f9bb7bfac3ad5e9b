/**
 * Holm's step-down procedure: which hypotheses of a batch are rejected when the chance of a single false rejection among all
 * of them is to be at most `alpha`.
 *
 * @returns For each p-value whether it is rejected, and the level that it was compared with: `alpha / (m - rank)`, rank 0 for
 * the smallest of m. After the first that is not rejected none is.
 */
export function holm(pValues: readonly number[], alpha: number): readonly HolmVerdict[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index)
  const verdicts: HolmVerdict[] = []
  let isOpen = true
  for (const [rank, { p, index }] of order.entries()) {
    const level = alpha / (pValues.length - rank)
    isOpen &&= p <= level
    verdicts[index] = { isRejected: isOpen, level }
  }
  return verdicts
}

/** What {@link holm} says of one p-value. */
export interface HolmVerdict {
  readonly isRejected: boolean
  /** The level that the p-value had to be at or below. */
  readonly level: number
}
