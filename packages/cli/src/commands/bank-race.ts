import { type Bank, DEFAULT_RACE_PAIRS } from '@harnesswright/plugin-bank'
import type { Arguments } from '../args/parse-arguments.js'
import { parseCount } from '../args/parse-count.js'
import { openNamedBank } from '../bank/open.js'
import { cliError } from '../errors/cli-error.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { challengersOf } from '../race/challengers.js'
import { isUndecided, reportRaces } from '../race/race-report.js'
import { MOST_RNGS, type RaceOptions, Races, type Racing } from '../race/races.js'
import { openLab, setUp } from '../stream/set-up.js'
import { readTasksFile } from '../stream/tasks-file.js'
import { printListing } from './list-command.js'
import { ended } from './stream.js'

/** Tasks of each world beyond those that are decided on, which take the place of masked ones. */
const SPARE = 4

/** `bank race <harness> [tasks.jsonl]`: whether a harness takes the place of the champion, for each kind of the tasks. */
export async function bankRaceCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const words = readWords(args)
  const options = readOptions(args)
  const fromFile = words.file === undefined ? undefined : await readTasksFile(words.file, io.cwd)
  const set = await setUp(args, io)
  try {
    const bank = await openNamedBank(set)
    try {
      const ids = await challengersOf(words.challengers, bank, set)
      return await raceOn(bank, { ...options, ids, fromFile, set })
    } finally {
      await bank.close()
    }
  } finally {
    await set.made.close?.()
  }
}

async function raceOn(bank: Bank, racing: Racing): Promise<ExitCode> {
  const { set, ids, pairs, rule } = racing
  const settings = {
    bank: bank.directory,
    race: ids,
    pairs,
    rule,
    tasks: racing.fromFile?.map(({ id }) => id) ?? racing.worlds ?? null,
  }
  const opened = await openLab(set, { settings })
  try {
    const races = await Races.open({ bank, opened, racing })
    const summary = await races.run()
    const listing = reportRaces(summary)
    opened.place.write('summary.json', `${JSON.stringify(listing.json, null, 2)}\n`)
    printListing(listing, set.args, set.io)
    return summary.races.some(isUndecided) ? EXIT.model : EXIT.ok
  } catch (error) {
    return ended(error, opened, set)
  } finally {
    opened.close()
  }
}

function readOptions({ values }: Arguments): RaceOptions {
  const pairs = parseCount('pairs', values['pairs'], DEFAULT_RACE_PAIRS)
  const rngs = Math.min(MOST_RNGS, parseCount('rngs', values['rngs'], pairs + SPARE))
  const { rule = 'conservative', worlds } = values
  if (rule === 'conservative' || rule === 'paper') return { pairs, rule, worlds, rngs }
  throw cliError('E_CLI_OPTION', {
    message: `There is no rule ${JSON.stringify(rule)}.`,
    where: '--rule',
    expected: 'conservative, which takes no chance for progress, or paper, to compare it with',
    fix: 'Leave --rule out.',
  })
}

function readWords({ positionals, values }: Arguments): {
  readonly challengers: string
  readonly file: string | undefined
} {
  const [, challengers, file, ...more] = positionals
  if (challengers !== undefined && more.length === 0 && (file === undefined) !== (values['worlds'] === undefined))
    return { challengers, file }
  throw cliError('E_CLI_USAGE', {
    message: '"bank race" needs who races, and tasks from one place.',
    where: ['harnesswright bank', ...positionals].join(' '),
    expected:
      'harnesses of the bank or manifest files, with commas between them; then a file with a task in each line, or --worlds <list>',
    fix: 'Write "harnesswright bank race gam --worlds long-log:large --out <dir>", or "harnesswright bank race mine.json tasks.jsonl --out <dir>".',
  })
}
