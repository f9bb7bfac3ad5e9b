/** Quantiles 0.975 of Student's t by degrees of freedom, from 1. */
const T_975 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
]

/** The mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Half the width of the interval of 95 % around the mean by Student's t. 0 for a single value, of which nothing is known. */
export function halfWidth(values: readonly number[]): number {
  if (values.length < 2) return 0
  const middle = mean(values)
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
  return (T_975[values.length - 2] ?? 1.96) * Math.sqrt(variance / values.length)
}
