import type { BenchCell, WorldVerdict } from './summary.js'

/** Headings of {@link tableRows}. */
export const HEADINGS = ['world', 'harness', 'reward', '', 'tokens', 'USD', 'time', 'calls', 'ends'] as const

/** Cells as rows of texts, by world, so that harnesses stand below one another; a star is at those that are good there. */
export function tableRows(
  cells: readonly BenchCell[],
  verdicts: readonly WorldVerdict[],
): readonly (readonly string[])[] {
  const worlds = [...new Set(cells.map(({ world }) => world))]
  return worlds.flatMap((world) => {
    const good = verdicts.find((verdict) => verdict.world === world)?.good ?? []
    return cells.filter((cell) => cell.world === world).map((cell) => rowOf(cell, good.includes(cell.harness)))
  })
}

function rowOf(cell: BenchCell, isGood: boolean): readonly string[] {
  const { world, harness, reward, rewardHalfWidth, tokens, usd, ms, modelCalls } = cell
  return [
    world,
    harness,
    reward === null ? 'unknown' : `${reward.toFixed(2)} ±${rewardHalfWidth.toFixed(2)}`,
    isGood ? '*' : '',
    textOf(tokens, (value) => `${(value / 1000).toFixed(value < 9_950 ? 1 : 0)}k`),
    textOf(usd, (value) => value.toFixed(4)),
    textOf(ms, (value) => `${(value / 1000).toFixed(0)} s`),
    textOf(modelCalls, (value) => value.toFixed(1)),
    endsOf(cell),
  ]
}

function textOf(value: number | null, format: (value: number) => string): string {
  return value === null ? 'unknown' : format(value)
}

function endsOf({ ends, masked }: BenchCell): string {
  const counts = Object.entries(ends).map(([end, count]) => `${end} ${count}`)
  return [...counts, ...(masked === 0 ? [] : [`not counted ${masked}`])].join(', ')
}

/** A sentence for each world: who is good there, and who of them is cheapest and quickest. */
export function verdictLines(verdicts: readonly WorldVerdict[]): readonly string[] {
  return verdicts.map(({ world, best, good, cheapest, quickest }) => {
    const others = good.filter((name) => name !== best)
    const alike = others.length === 0 ? 'no other is as good' : `as good within chance: ${others.join(', ')}`
    const costs = cheapest === undefined ? '' : `cheapest of these: ${cheapest}; `
    return `${world}: best ${best}; ${alike}; ${costs}quickest: ${quickest}`
  })
}

/** Rows as a table of Markdown. What stands in them is escaped. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('*', '\\*')
}
