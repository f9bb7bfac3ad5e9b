import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { type BenchJob, type BenchRow, keyOf } from './bench-row.js'
import { benchError } from './errors.js'
import { replaceFile } from './replace-file.js'

/**
 * Results of a bench, a line for each run. A line is written as soon as its run is over; once all are there they are put in
 * the order of the jobs, so that the file says nothing of which run was over first.
 */
export class ResultsFile {
  readonly #path: string
  readonly #jobs: readonly BenchJob[]
  readonly #rows: Map<string, BenchRow>

  /**
   * Takes up what an earlier process has left. A last line without its end is one that was cut short: its run is done again.
   * So is a run that the endpoint failed.
   *
   * @throws HarnessError `E_BENCH_RESULTS` when a line is no result of one of the jobs.
   */
  constructor(path: string, jobs: readonly BenchJob[]) {
    this.#path = path
    this.#jobs = jobs
    this.#rows = new Map(readResults(path, jobs).flatMap((row) => (row.reward === null ? [] : [[keyOf(row), row]])))
    this.sort()
  }

  /** What is done, in the order of the jobs. */
  get rows(): readonly BenchRow[] {
    return this.#jobs.flatMap((job) => this.#rows.get(keyOf(job)) ?? [])
  }

  /** What is done, in no order that means anything. */
  get done(): readonly BenchRow[] {
    return [...this.#rows.values()]
  }

  has(job: BenchJob): boolean {
    return this.#rows.has(keyOf(job))
  }

  add(row: BenchRow): void {
    this.#rows.set(keyOf(row), row)
    appendFileSync(this.#path, lineOf(row))
  }

  /** Puts the lines in the order of the jobs. */
  sort(): void {
    replaceFile(this.#path, this.rows.map(lineOf).join(''))
  }
}

const lineOf = (row: BenchRow): string => `${JSON.stringify(row)}\n`

/**
 * The results in a file, in its order; none where there is no file. A last line that was cut short is left out.
 *
 * @param jobs - Those that there may be results of. Default: any.
 * @throws HarnessError `E_BENCH_RESULTS` when a line is no result, or one of another job.
 */
export function readResults(path: string, jobs?: readonly BenchJob[]): readonly BenchRow[] {
  if (!existsSync(path)) return []
  const known = jobs && new Set(jobs.map(keyOf))
  const whole = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return whole.map((line, index) => {
    const row = parseRow(line)
    if (row === undefined || known?.has(keyOf(row)) === false) throw badLine(path, index + 1)
    return row
  })
}

const NUMBERS = ['rng', 'steps', 'modelCalls', 'ms'] as const
const COUNTS = ['reward', 'inputTokens', 'cachedTokens', 'outputTokens', 'usd'] as const
const TEXTS = ['harness', 'world', 'manifestId', 'harnessId', 'status', 'detail'] as const

function parseRow(line: string): BenchRow | undefined {
  const row = tryToParse(line)
  const isRow =
    NUMBERS.every((name) => typeof row[name] === 'number') &&
    COUNTS.every((name) => row[name] === null || typeof row[name] === 'number') &&
    TEXTS.every((name) => typeof row[name] === 'string') &&
    (row['reason'] === null || typeof row['reason'] === 'string')
  return isRow ? (row as unknown as BenchRow) : undefined // every field was checked
}

function tryToParse(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}

function badLine(path: string, line: number): Error {
  return benchError('E_BENCH_RESULTS', {
    message: `Line ${line} is no result of this bench.`,
    where: `${path}, line ${line}`,
    expected: 'results as the bench wrote them, one a line',
    fix: 'Remove the line, and its run is done again; or name another directory.',
  })
}
