import { join, resolve } from 'node:path'
import {
  type BenchDifference,
  type BenchRow,
  type BenchSettings,
  compareResults,
  formatInterval,
  readResults,
  settingsIn,
} from '@harnesswright/plugin-bench'
import type { Arguments } from '../args/parse-arguments.js'
import { printListing } from '../commands/list-command.js'
import { cliError } from '../errors/cli-error.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { formatTable } from '../text/format.js'

/** A bench that was measured. */
interface Measured {
  readonly directory: string
  readonly settings: BenchSettings
  readonly rows: readonly BenchRow[]
}

/** Versions of which both benches have to be: otherwise their tasks are not the same. */
const VERSIONS = ['worldsVersion', 'profilesVersion'] as const

/** `bench compare <a> <b>`: how the second differs from the first on the same tasks. The table is the answer. */
export function compareBenches(directories: readonly [string, string], args: Arguments, io: Io): ExitCode {
  const [first, second] = directories.map((directory) => readBench(resolve(io.cwd, directory))) as [Measured, Measured]
  checkVersions(first, second)
  const differences = compareResults(first.rows, second.rows)
  if (differences.length === 0) throw nothingShared(first, second)
  const models = [first, second].map(({ settings }) => String(settings['model']))
  const isSimulated = [first, second].some(({ settings }) => settings['isSimulated'] === true)
  const json = { first: first.directory, second: second.directory, models, simulated: isSimulated, differences }
  printListing({ json, lines: linesOf(differences, { models, isSimulated }) }, args, io)
  return EXIT.ok
}

function readBench(directory: string): Measured {
  return { directory, settings: settingsIn(directory), rows: readResults(join(directory, 'results.jsonl')) }
}

function linesOf(
  differences: readonly BenchDifference[],
  { models, isSimulated }: { readonly models: readonly string[]; readonly isSimulated: boolean },
): readonly string[] {
  const rows = differences.map((one) => [
    one.world,
    [...new Set(one.harnesses)].join(' → '),
    change(one.reward, (value) => value.toFixed(2)),
    change(one.usd, (value) => value.toFixed(4)),
    change(one.ms, (value) => `${(value / 1000).toFixed(0)} s`),
    formatInterval(one.reward.difference),
  ])
  return [
    ...formatTable([['world', 'harness', 'reward', 'USD', 'time', 'difference of the rewards'], ...rows]),
    '',
    `First → second, means of the tasks that both have measured${models[0] === models[1] ? '' : `, on ${models.join(' → ')}`}. Each interval is for itself: of twenty, one misses by chance.`,
    ...(isSimulated ? ['On the simulated model: nothing follows for language models.'] : []),
  ]
}

function change({ first, second }: BenchDifference['reward'], format: (value: number) => string): string {
  return [first, second].map((value) => (value === null ? 'unknown' : format(value))).join(' → ')
}

function checkVersions(first: Measured, second: Measured): void {
  const differing = VERSIONS.find((name) => {
    const [one, other] = [first, second].map(({ settings }) => settings[name])
    return one !== undefined && other !== undefined && one !== other
  })
  if (differing === undefined) return
  throw cliError('E_CLI_USAGE', {
    message: `The two benches are of different versions: ${differing} is ${String(first.settings[differing])} and ${String(second.settings[differing])}.`,
    where: 'harnesswright bench compare',
    expected: 'two benches of the same tasks',
    fix: 'Measure the older one again, in another directory.',
  })
}

function nothingShared(first: Measured, second: Measured): Error {
  const what = ({ rows }: Measured): string =>
    rows.length === 0 ? 'nothing' : [...new Set(rows.map(({ harness, world }) => `${harness} on ${world}`))].join(', ')
  return cliError('E_CLI_USAGE', {
    message: 'The two benches have measured no task both.',
    where: 'harnesswright bench compare',
    expected: 'the same harnesses, or one in each, on the same worlds',
    fix: `The first has ${what(first)}; the second has ${what(second)}.`,
  })
}
