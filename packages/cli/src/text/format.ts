import { cleanLine } from './clean.js'

/** 12340 as `12,340`. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 task`, `2 tasks`. */
export function countOf(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

/** A cost in USD with four digits after the point, more for less; null as words. */
export function formatUsd(usd: number | null): string {
  if (usd === null) return 'unknown cost'
  return `$${usd.toFixed(usd > 0 && usd < 0.0001 ? 6 : 4)}`
}

/** A time in ms as `0.4 s` or `2 min 5 s`. */
export function formatTime(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** A name from outside, as it may stand in a row: on one line, and no longer than others. */
export function shownName(name: string): string {
  return cleanLine(name, 80)
}

/** The hash of an id, cut to what people compare. */
export function shortId(id: string): string {
  return id.replace(/^sha256:/, '').slice(0, 12)
}

/** Rows as columns of equal width, but for the last. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
