import type { Bank } from '@harnesswright/plugin-bank'
import {
  checkSplits,
  createSmokeGate,
  EVOLVE_HEADINGS,
  type EvolveReport,
  evolve,
  evolveNotes,
  evolveRows,
  judgedLine,
  type LabChoice,
} from '@harnesswright/plugin-meta-agent'
import type { Arguments } from '../args/parse-arguments.js'
import { parseCount } from '../args/parse-count.js'
import { benchedWorlds } from '../bench/bench-worlds.js'
import { cliError } from '../errors/cli-error.js'
import { type NamedManifest, readNamedManifest } from '../evolve/named-manifest.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { seedOfTask } from '../stream/seed-of-task.js'
import { type OpenedLab, openLab, readChoices, type SetUp, setUp } from '../stream/set-up.js'
import { type CliTask, worldTasks } from '../stream/tasks.js'
import { readTasksFile } from '../stream/tasks-file.js'
import { cleanLine } from '../text/clean.js'
import { formatTable, shortId } from '../text/format.js'
import { type Listing, printListing, refuseWords } from './list-command.js'
import { ended } from './stream.js'

/** Test tasks of worlds have random seeds from here on: far from those of training tasks. */
const FIRST_TEST_RNG = 1_000_001

/** Runs of the parent on each test task, where the search would have paid for more. */
const MOST_SAMPLES = 16

/** `evolve`: looks for a better harness on training tasks, and says on tasks that it never saw what it is worth. */
export async function evolveCommand(args: Arguments, io: Io): Promise<ExitCode> {
  refuseWords(args)
  const splits = await readSplits(args, io)
  checkSplits(splits.train, splits.test)
  const set = await setUp(args, io)
  try {
    const bank = await openBankOf(set)
    try {
      return await evolveOn(splits, set, bank)
    } finally {
      await bank?.close()
    }
  } finally {
    await set.made.close?.()
  }
}

/** Tasks that a search sees, and those that it does not. */
interface Splits {
  readonly train: readonly CliTask[]
  readonly test: readonly CliTask[]
}

async function evolveOn({ train, test }: Splits, set: SetUp, bank: Bank | undefined): Promise<ExitCode> {
  const { args, io, screen, rng, concurrency, packages, made } = set
  const { parent: name = 'react', harness = 'all', proposals, samples } = args.values
  const counts = {
    proposals: parseCount('proposals', proposals, 24),
    samples: parseCount('samples', samples, MOST_SAMPLES),
  }
  const parent = await readNamedManifest(name, { packages, cwd: io.cwd, where: '--parent' })
  const pool = (await readChoices(harness, set)).filter((one) => one.name !== parent.name)
  const named = ({ name: choice, manifest }: Required<LabChoice>): object => ({ name: choice, manifest })
  const ids = (tasks: readonly CliTask[]): readonly string[] => tasks.map(({ id }) => id)
  const settings = { parent: named(parent), pool: pool.map(named), ...counts, train: ids(train), test: ids(test) }
  const opened = await openLab(set, { settings })
  const scene = opened.open(train[0] as CliTask) // a split that is empty was refused
  try {
    // One that cannot be read is refused before anything is spent.
    for (const task of [...train, ...test]) if ('task' in task) opened.open(task).close()
    const report = await evolve({
      lab: opened.lab,
      catalog: packages.catalog,
      parent,
      pool,
      train,
      test,
      rng,
      concurrency,
      ...counts,
      seedOf: seedOfTask(rng),
      isSimulated: made.model.simulated === true,
      accepts: createSmokeGate({ catalog: packages.catalog, env: scene.env }),
      signal: opened.signal,
      onJudged: (judged) => screen.progress(cleanLine(judgedLine(judged), 500)),
    })
    const remembered = await rememberIn(bank, set, { parent, judged: report.judged })
    return tell(report, set, opened, remembered)
  } catch (error) {
    return ended(error, opened, set)
  } finally {
    scene.close()
    opened.close()
  }
}

/** The bank of `--bank`, opened before anything is spent; undefined without the option. */
async function openBankOf(set: SetUp): Promise<Bank | undefined> {
  if (set.args.values['bank'] === undefined) return undefined
  return await (await import('../bank/open.js')).openNamedBank(set)
}

/** Adds what was kept to a bank; gives its ids, and undefined without one. */
async function rememberIn(
  bank: Bank | undefined,
  { made, packages }: SetUp,
  found: { readonly parent: NamedManifest; readonly judged: EvolveReport['judged'] },
): Promise<readonly string[] | undefined> {
  if (bank === undefined) return undefined
  const { rememberEvolution } = await import('../evolve/remember-evolution.js')
  return await rememberEvolution(bank, { ...found, model: made.model.id, catalog: packages.catalog })
}

function tell(report: EvolveReport, set: SetUp, opened: OpenedLab, remembered?: readonly string[]): ExitCode {
  const manifest = opened.place.write('manifest.json', `${JSON.stringify(report.manifest, null, 2)}\n`)
  const listing = reportEvolution(report, {
    set,
    opened,
    manifest,
    ...(remembered === undefined ? {} : { remembered }),
  })
  opened.place.write('summary.json', `${JSON.stringify(listing.json, null, 2)}\n`)
  printListing(listing, set.args, set.io)
  return EXIT.ok
}

interface Reporting {
  readonly set: SetUp
  readonly opened: OpenedLab
  /** Path of the manifest that was found. */
  readonly manifest: string
  /** Ids of the harnesses that were added to a bank, the best last. */
  readonly remembered?: readonly string[]
}

function reportEvolution(report: EvolveReport, { set, opened, manifest, remembered }: Reporting): Listing {
  const { model } = set.made
  const isSimulated = model.simulated === true
  const { spent } = opened.lab
  const { manifest: found, ...figures } = report
  const kept = remembered === undefined ? {} : { remembered }
  const json = { model: model.id, simulated: isSimulated, spent, file: manifest, ...kept, manifest: found, ...figures }
  const lines = [
    ...formatTable([EVOLVE_HEADINGS, ...evolveRows(report)]),
    '',
    'Mean reward of a training task (seen) and of a test task (unseen), USD of a test task; differences from the parent are paired, with their interval of 95 %.',
    ...evolveNotes(report),
    `manifest: ${manifest}`,
    ...(remembered === undefined ? [] : [rememberedLine(remembered, String(set.args.values['bank']))]),
    ...(isSimulated ? ['On the simulated model: nothing follows for language models.'] : []),
  ]
  return { json, lines }
}

function rememberedLine(ids: readonly string[], bank: string): string {
  const last = ids.at(-1)
  if (last === undefined) return 'bank: nothing was kept, and nothing was added'
  return `bank: ${ids.length} ${ids.length === 1 ? 'harness' : 'harnesses'} with what each was made from; "harnesswright bank race ${shortId(last)} --worlds <list> --bank ${cleanLine(bank)} --out <dir>", or a file of tasks, says whether the best takes the place of the champion`
}

async function readSplits({ values }: Arguments, io: Io): Promise<Splits> {
  const { worlds, rngs, 'test-rngs': testRngs, 'train-tasks': trainFile, 'test-tasks': testFile } = values
  const isOfFiles = trainFile !== undefined && testFile !== undefined && worlds === undefined
  if (isOfFiles) return { train: await readTasksFile(trainFile, io.cwd), test: await readTasksFile(testFile, io.cwd) }
  if (worlds === undefined || trainFile !== undefined || testFile !== undefined) throw noTasks()
  const named = benchedWorlds(worlds)
  return {
    train: worldTasks(named, 1, parseCount('rngs', rngs, 12)),
    test: worldTasks(named, FIRST_TEST_RNG, parseCount('test-rngs', testRngs, 24)),
  }
}

function noTasks(): Error {
  return cliError('E_CLI_USAGE', {
    message: '"evolve" needs tasks to look at and others to measure on.',
    where: 'harnesswright evolve',
    expected: '--worlds <list>, or --train-tasks <file> and --test-tasks <file>',
    fix: 'Write "harnesswright evolve --worlds all --out <dir>".',
  })
}
