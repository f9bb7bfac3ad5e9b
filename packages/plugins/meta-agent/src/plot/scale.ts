/** Round numbers from at most the least to at least the most, about so many: 1, 2 or 5 times a power of ten apart. */
export function ticksOf(least: number, most: number, about: number): readonly number[] {
  const range = most - least || 1
  const rough = range / Math.max(1, about)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)]
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** A number on an axis: `1.2M`, `350k`, `0.05`. */
export function tickText(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e6) return `${trimmed(value / 1e6)}M`
  if (size >= 1e4) return `${trimmed(value / 1e3)}k`
  return trimmed(value)
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(3)))
}
