import { mkdirSync, rmSync } from 'node:fs'
import { type Catalog, type ModelInfo, problemsError } from '@harnesswright/core'
import { findWorld, WORLDS_VERSION } from '@harnesswright/plugin-worlds'
import { type BenchRow, type JobSpace, listJobs } from './bench-row.js'
import { benchError } from './errors.js'
import { runPool } from './pool.js'
import { ResultsFile } from './results-file.js'
import { type BenchHarness, type RunParts, runJob } from './run-job.js'
import { openPlace } from './settings-file.js'

/** How far a bench is. */
export interface BenchProgress {
  /** Runs that are done, those of earlier processes too. */
  readonly done: number
  readonly total: number
  /** Input and output tokens of these runs, as far as they are known. */
  readonly tokens: number
  /** Their cost in USD; null where some is unknown. */
  readonly usd: number | null
}

/** What is measured, and with what. */
export interface WorldBenchOptions extends Omit<RunParts, 'workspaces' | 'signal'>, Omit<JobSpace, 'harnesses'> {
  /** Where results go. It is made; a bench with the same settings that began there is gone on with. */
  readonly directory: string
  /** The model that every harness runs on. */
  readonly model: Pick<ModelInfo, 'id' | 'simulated'>
  /** What else the figures depend on, such as limits: with other settings the bench is not gone on with. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Options with which a host begins this bench again. They are kept beside the settings, and not compared. */
  readonly again?: Readonly<Record<string, string>>
  /** Runs under way at once. Default 4. With a simulated model the results do not depend on it. */
  readonly concurrency?: number
  /** Ends the bench: what is done is kept. */
  readonly signal?: AbortSignal
  /** Called at the start and after each run. */
  readonly onProgress?: (progress: BenchProgress) => void
}

/**
 * Runs every harness on the same generated tasks of every world. Each run is written to `results.jsonl` as soon as it is
 * over, so that a bench that was killed goes on where it stopped.
 *
 * @returns The results, in order: by harness, then by world, then by rng. Those of a bench that was ended are fewer.
 * @throws HarnessError `E_BENCH_OPTION` for a number that cannot be, `E_BENCH_DIRECTORY` and `E_BENCH_RESULTS` for what
 * stands in the directory, `E_WORLDS_*` for a world, `E_MANIFEST_*` and `E_PROTOCOL_*` when a harness cannot be assembled.
 */
export async function benchWorlds(options: WorldBenchOptions): Promise<readonly BenchRow[]> {
  const { directory, harnesses, concurrency = 4, signal = new AbortController().signal, onProgress } = options
  checkOptions(options, concurrency)
  const jobs = listJobs({ ...options, harnesses: harnesses.map(({ name }) => name) })
  const place = openPlace(directory, await settingsOf(options))
  const results = new ResultsFile(place.results, jobs)
  const tell = (): void => onProgress?.(progressOf(results.done, jobs.length))
  tell()
  freshFolder(place.workspaces)
  try {
    const left = jobs.filter((job) => !results.has(job))
    await runPool(left, { concurrency, signal }, async (job) => {
      const row = await runJob(job, { ...options, signal, workspaces: place.workspaces })
      if (row === undefined) return
      results.add(row)
      tell()
    })
  } finally {
    results.sort()
    rmSync(place.workspaces, { recursive: true, force: true })
  }
  return results.rows
}

/** Sums of results. */
function progressOf(rows: readonly BenchRow[], total: number): BenchProgress {
  let [tokens, usd]: [number, number | null] = [0, 0]
  for (const row of rows) {
    tokens += (row.inputTokens ?? 0) + (row.outputTokens ?? 0)
    usd = usd === null || row.usd === null ? null : usd + row.usd
  }
  return { done: rows.length, total, tokens, usd }
}

async function settingsOf(options: WorldBenchOptions): Promise<Readonly<Record<string, unknown>>> {
  const { model, worlds, rngs, harnesses, catalog, settings = {}, again } = options
  const identified = harnesses.map(async (harness) => ({ name: harness.name, harnessId: await idOf(harness, catalog) }))
  return {
    version: 1,
    model: model.id,
    isSimulated: model.simulated === true,
    worldsVersion: WORLDS_VERSION,
    worlds,
    rngs,
    harnesses: await Promise.all(identified),
    ...settings,
    ...(again === undefined ? {} : { again }),
  }
}

async function idOf({ manifest, origin = 'host' }: BenchHarness, catalog: Catalog): Promise<string> {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest)
  const { manifest: valid, problems } = await catalog.read(text, { origin })
  if (valid === undefined || problems.length > 0) throw problemsError(problems)
  return (await catalog.identify(valid)).harnessId
}

/** What a process that was killed has left is removed. */
function freshFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path)
}

function checkOptions({ harnesses, worlds, rngs }: WorldBenchOptions, concurrency: number): void {
  for (const [name, value] of Object.entries({ rngs, concurrency })) {
    if (!Number.isSafeInteger(value) || value < 1) throw wrongOption(name, String(value), 'a positive whole number')
  }
  const names = harnesses.map(({ name }) => name)
  for (const [option, list] of Object.entries({ harnesses: names, worlds })) {
    const double = list.find((one, index) => list.indexOf(one) !== index)
    if (double !== undefined) throw wrongOption(option, `${double} twice`, 'each once')
    if (list.length === 0) throw wrongOption(option, 'none', 'one at least')
  }
  for (const world of worlds) findWorld(world.split(':', 1)[0] ?? '')
}

function wrongOption(name: string, found: string, expected: string): Error {
  return benchError('E_BENCH_OPTION', {
    message: `A bench cannot be with ${name}: ${found}.`,
    where: name,
    expected,
    fix: `Give ${expected}.`,
  })
}
