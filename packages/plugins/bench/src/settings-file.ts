import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchError } from './errors.js'
import { replaceFile } from './replace-file.js'

/** What the figures of a bench depend on: only with the same is it gone on with. */
export type BenchSettings = Readonly<Record<string, unknown>>

/** Name of the setting that is kept and not compared: the options with which the bench was begun. */
const AGAIN = 'again'

/** Files of a bench in its directory. */
export interface BenchPlace {
  readonly results: string
  /** Where the runs work: nothing of it outlives the bench. */
  readonly workspaces: string
}

/**
 * Opens the directory of a bench: a new one, or one that the same bench has begun in.
 *
 * @throws HarnessError `E_BENCH_DIRECTORY` when another bench has begun there, or there are results of which it is not
 * known what bench they are of.
 */
export function openPlace(directory: string, settings: BenchSettings): BenchPlace {
  const [file, results, workspaces] = ['bench.json', 'results.jsonl', '.workspaces'].map((name) =>
    join(directory, name),
  ) as [string, string, string]
  const text = `${JSON.stringify(settings, null, 2)}\n`
  if (existsSync(file)) assertSame(file, settings)
  else {
    const taken = [results, workspaces].find((path) => existsSync(path))
    if (taken !== undefined) throw isTaken(taken)
    mkdirSync(directory, { recursive: true })
    replaceFile(file, text)
  }
  return { results, workspaces }
}

function assertSame(file: string, settings: BenchSettings): void {
  const before = readSettings(file)
  const names = [...new Set([...Object.keys(before), ...Object.keys(settings)])]
  const differing = names
    .filter((name) => name !== AGAIN)
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(settings[name]))
    .map((name) => differenceIn(name, before[name], settings[name]))
  if (differing.length === 0) return
  throw benchError('E_BENCH_DIRECTORY', {
    message: `Another bench has begun in this directory: it differs in ${differing.join(', ')}.`,
    where: file,
    expected: 'the same settings, to go on with it, or a directory without a bench',
    fix: 'Name another directory, or the settings that the file holds.',
  })
}

/** What is not the same, with both values where they are short. */
function differenceIn(name: string, before: unknown, now: unknown): string {
  const [there, here] = [before, now].map((value) => JSON.stringify(value) ?? 'none')
  return `${name}${`${there}${here}`.length > 40 ? '' : ` (there ${there}, here ${here})`}`
}

/**
 * What the figures of the bench of a directory depend on.
 *
 * @throws HarnessError `E_BENCH_DIRECTORY` when there is no bench in the directory.
 */
export function settingsIn(directory: string): BenchSettings {
  const file = join(directory, 'bench.json')
  if (existsSync(file)) return readSettings(file)
  throw benchError('E_BENCH_DIRECTORY', {
    message: 'There is no bench in the directory.',
    where: file,
    expected: 'the bench.json of a bench',
    fix: 'Name the directory that a bench was given as --out.',
  })
}

/**
 * The options with which the bench of a directory was begun.
 *
 * @throws HarnessError `E_BENCH_DIRECTORY` when there is no bench in the directory, or none that says how it was begun.
 */
export function beganWith(directory: string): Readonly<Record<string, string>> {
  const options = settingsIn(directory)[AGAIN]
  if (isTexts(options)) return options
  throw benchError('E_BENCH_DIRECTORY', {
    message: 'The bench in the directory does not say how it was begun.',
    where: join(directory, 'bench.json'),
    expected: 'a bench.json, as the command line writes it',
    fix: 'Give the command with which it was begun once more.',
  })
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one === 'string')
  )
}

function readSettings(file: string): BenchSettings {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8'))) as BenchSettings
  } catch (cause) {
    throw benchError('E_BENCH_DIRECTORY', {
      message: 'The settings of the bench in this directory cannot be read.',
      where: file,
      expected: 'one JSON object, as the bench wrote it',
      fix: 'Name another directory.',
      cause,
    })
  }
}

function isTaken(path: string): Error {
  return benchError('E_BENCH_DIRECTORY', {
    message: 'There is something in the directory that a bench would write over, and no bench.json beside it.',
    where: path,
    expected: 'a directory without it',
    fix: 'Name another directory.',
  })
}
