const SIGNIFICANT_DIGITS = 12

/** Writes a number as a person would: whole numbers in full, others with up to 12 significant digits. */
export function formatNumber(value: number): string {
  if (value === 0) return '0' // and not -0
  return String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS)))
}
