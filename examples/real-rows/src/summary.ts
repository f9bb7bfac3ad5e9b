import type { RowResult } from './run-row.js'

/** A table of the settings: how rows ended, how many are right, and what a row cost. */
export function summarise(results: readonly RowResult[]): string {
  const settings = new Map<string, RowResult[]>()
  for (const result of results) {
    const key = [result.suite, result.harness, result.model].join(' | ')
    settings.set(key, [...(settings.get(key) ?? []), result])
  }
  const head = [
    '| suite | harness | model | rows | answered | limit | failed | right | first reply right | calls | refused | tokens a row | seconds a row |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ]
  return [...head, ...[...settings].map(([key, rows]) => `| ${key} | ${cellsOf(rows).join(' | ')} |`)].join('\n')
}

function cellsOf(rows: readonly RowResult[]): readonly (string | number)[] {
  const ended = (status: string): number => rows.filter((row) => row.status === status).length
  const sum = (of: (row: RowResult) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const first = rows.flatMap(({ firstReward }) => firstReward ?? [])
  return [
    rows.length,
    ended('answered'),
    ended('limit'),
    ended('failed'),
    sum(({ reward }) => reward),
    first.length === 0 ? '' : first.reduce((total, one) => total + one, 0),
    sum(({ toolCalls }) => toolCalls),
    sum(({ refusedCalls }) => refusedCalls),
    Math.round(sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens) / rows.length),
    (sum(({ seconds }) => seconds) / rows.length).toFixed(1),
  ]
}
