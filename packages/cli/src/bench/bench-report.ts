import { type BenchRow, HEADINGS, judge, summarise, tableRows, verdictLines } from '@harnesswright/plugin-bench'
import type { Listing } from '../commands/list-command.js'
import type { MadeModel } from '../models/make-model.js'
import { formatTable } from '../text/format.js'

/** What is reported of a bench. */
export interface BenchOutcome {
  readonly rows: readonly BenchRow[]
  /** Runs that there are when it is whole. */
  readonly total: number
  readonly model: MadeModel['model']
  /** Path of the results. */
  readonly results: string
}

const STAR = ' A star: the best of the world, or no worse than chance may make it.'

/** The table of a bench, and who is good where. */
export function reportBench({ rows, total, model, results }: BenchOutcome): Listing {
  const isSimulated = model.simulated === true
  const [cells, verdicts] = [summarise(rows), judge(rows)]
  const json = {
    status: rows.length === total ? 'done' : 'aborted',
    model: model.id,
    simulated: isSimulated,
    runs: { done: rows.length, total },
    results,
    cells,
    verdicts,
  }
  const lines = [
    ...formatTable([HEADINGS, ...tableRows(cells, verdicts)]),
    '',
    `Means of a run; reward with its interval of 95 %.${verdicts.length === 0 ? '' : STAR}`,
    ...verdictLines(verdicts),
    ...(isSimulated ? ['On the simulated model: nothing follows for language models.'] : []),
  ]
  return { json, lines }
}
