import type { WorldSize } from '@harnesswright/plugin-worlds'
import type { Outcome } from './run-task.js'

/** Outcomes of one seed on the tasks of one size. */
export interface Cell {
  readonly seed: string
  readonly size: WorldSize
  readonly outcomes: readonly Outcome[]
}

const HEADINGS = ['size', 'seed', 'solved', 'reward', 'tokens', 'time', 'calls', 'ends'] as const

/** A table of Markdown with a row for each cell; all but the ends are means of a run. */
export function writeTable(cells: readonly Cell[]): string {
  const rows = cells.map(({ seed, size, outcomes }) => {
    const mean = (of: (outcome: Outcome) => number): number =>
      outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length
    return [
      size,
      seed,
      mean(({ passed }) => Number(passed)).toFixed(2),
      mean(({ reward }) => reward).toFixed(2),
      `${(mean(({ tokens }) => tokens) / 1000).toFixed(0)}k`,
      `${(mean(({ ms }) => ms) / 1000).toFixed(0)} s`,
      mean(({ modelCalls }) => modelCalls).toFixed(0),
      countEnds(outcomes),
    ]
  })
  return [HEADINGS, HEADINGS.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function countEnds(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>()
  for (const { end } of outcomes) counts.set(end, (counts.get(end) ?? 0) + 1)
  return [...counts].map(([end, count]) => `${end} ${count}`).join(', ')
}
