import { formatEur } from './quotes-lists.js'
import type { CheckResult } from './world.js'

/** One right line of the quote. */
export interface QuoteLine {
  readonly item: string
  readonly supplier: string
  readonly totalCents: number
}

/** Amounts may be this far off, in EUR: less than half a cent. */
const TOLERANCE_EUR = 0.004

/** Share of the lines and of the sum that are right in the file. A line is right once, with supplier and total. */
export function checkQuote(expected: readonly QuoteLine[], text: string | undefined): CheckResult {
  if (text === undefined) return { reward: 0, passed: false, detail: 'answer.json is missing' }
  const quote = parseQuote(text)
  if (quote === undefined)
    return { reward: 0, passed: false, detail: 'answer.json has no list "lines" in a JSON object' }
  const faults = expected.flatMap((line) => faultOf(line, quote.lines) ?? [])
  const sumCents = expected.reduce((sum, line) => sum + line.totalCents, 0)
  if (!isNear(quote.sum, sumCents)) faults.push(`sum: ${String(quote.sum)}, expected ${formatEur(sumCents)}`)
  const parts = expected.length + 1
  const right = parts - faults.length
  const detail = [`${right} of ${parts} right (lines and sum)`, ...faults].join('; ')
  return { reward: right / parts, passed: right === parts, detail }
}

function faultOf(expected: QuoteLine, lines: readonly unknown[]): string | undefined {
  const found = lines.filter((line) => field(line, 'item') === expected.item)
  if (found.length !== 1) return `${expected.item}: ${found.length} entries, expected 1`
  const supplier = field(found[0], 'supplier')
  if (supplier !== expected.supplier) return `${expected.item}: ${String(supplier)}, expected ${expected.supplier}`
  const total = field(found[0], 'total')
  if (isNear(total, expected.totalCents)) return undefined
  return `${expected.item}: total ${String(total)}, expected ${formatEur(expected.totalCents)}`
}

function isNear(value: unknown, cents: number): boolean {
  return typeof value === 'number' && Math.abs(value - cents / 100) < TOLERANCE_EUR
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function parseQuote(text: string): { readonly lines: readonly unknown[]; readonly sum: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const lines = field(value, 'lines')
    return Array.isArray(lines) ? { lines, sum: field(value, 'sum') } : undefined
  } catch {
    return undefined
  }
}
