/** The mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The variance of a sample, divided by `n - 1`; NaN of fewer than two values. */
export function sampleVariance(values: readonly number[]): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

/** Whether all values are the same, but for what is lost in a subtraction. */
export function isTied(values: readonly number[]): boolean {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return high - low <= 1e-12 * Math.max(1, Math.abs(low), Math.abs(high))
}
