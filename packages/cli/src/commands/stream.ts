import {
  BudgetSpent,
  type Evidence,
  plotStream,
  type StreamResult,
  stream,
  summariseStream,
} from '@harnesswright/plugin-meta-agent'
import type { Arguments } from '../args/parse-arguments.js'
import { parseCount } from '../args/parse-count.js'
import { benchedWorlds } from '../bench/bench-worlds.js'
import { cliError } from '../errors/cli-error.js'
import type { NamedManifest } from '../evolve/named-manifest.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { askVerdict } from '../stream/ask-verdict.js'
import { lookAt } from '../stream/look-at.js'
import { seedOfTask } from '../stream/seed-of-task.js'
import { fileIn, type OpenedLab, openLab, readChoices, type SetUp, setUp } from '../stream/set-up.js'
import type { StreamBank } from '../stream/stream-bank.js'
import { reportStream } from '../stream/stream-report.js'
import { type CliTask, worldTasks } from '../stream/tasks.js'
import { readTasksFile } from '../stream/tasks-file.js'
import { cleanJson, cleanLine } from '../text/clean.js'
import { countOf } from '../text/format.js'
import { printListing } from './list-command.js'

/** `stream [tasks.jsonl]`: does tasks one after another and learns which harness to take, beside a static control. */
export async function streamCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const tasks = await readTasks(args, io)
  const verifier = readVerifier(args)
  const set = await setUp(args, io)
  try {
    return await streamOver(tasks, verifier, set)
  } finally {
    await set.made.close?.()
  }
}

async function streamOver(tasks: readonly CliTask[], verifier: 'check' | 'person', set: SetUp): Promise<ExitCode> {
  const { args, io, screen, concurrency, rng } = set
  const entries = await readChoices(args.values['harness'] ?? 'all', set)
  const orders = parseCount('orders', args.values['orders'], 10)
  const judge = verifier === 'person' ? { judge: askVerdict(io, screen) } : {}
  const settings = {
    verifier,
    hasBank: args.values['bank'] !== undefined,
    entries: entries.map(({ name, manifest }) => ({ name, manifest })),
  }
  let bank: StreamBank | undefined
  const opened = await openLab(set, { settings, ...judge, onKept: (record, composed) => bank?.add(record, composed) })
  try {
    bank = await openBankOf({ tasks, entries, set, opened, verifier })
    const evidence = await evidenceOf(bank, opened)
    const seedOf = seedOfTask(rng)
    const total = orders * tasks.length
    let done = 0
    const result = await stream({
      lab: opened.lab,
      tasks,
      entries,
      evidence,
      orders,
      rng,
      seedOf,
      concurrency,
      signal: opened.signal,
      onStep: () => {
        done += 1
        screen.status(`${done} of ${total} steps, ${opened.lab.spent.runs} runs`)
      },
    })
    return tell(result, { set, opened, verifier })
  } catch (error) {
    return ended(error, opened, set)
  } finally {
    await closeAll(bank, opened)
  }
}

async function closeAll(bank: StreamBank | undefined, opened: OpenedLab): Promise<void> {
  try {
    await bank?.close()
  } finally {
    opened.close()
  }
}

interface Banking extends Pick<Telling, 'set' | 'opened'> {
  readonly tasks: readonly CliTask[]
  readonly entries: readonly NamedManifest[]
  readonly verifier: 'check' | 'person'
}

/** The bank of `--bank`, to which the runs of earlier processes are added; undefined without the option. */
async function openBankOf({ tasks, entries, set, opened, verifier }: Banking): Promise<StreamBank | undefined> {
  if (set.args.values['bank'] === undefined) return undefined
  const [{ openNamedBank }, { StreamBank: OfStream }] = [
    await import('../bank/open.js'),
    await import('../stream/stream-bank.js'),
  ]
  const bank = await OfStream.open(await openNamedBank(set, set.packages), {
    model: set.made.model,
    entries,
    tasks: await Promise.all(tasks.map(async (task) => lookAt(task, opened))),
    limits: { ...set.config.defaults.limits, ...set.limits },
    verifier,
  })
  for (const record of opened.place.records) bank.add(record, opened.composed(record))
  return bank
}

const EVIDENCE = 'evidence.json'

/** What was known when the stream began, also where the bank has learned since. */
async function evidenceOf(bank: StreamBank | undefined, { place }: OpenedLab): Promise<readonly Evidence[]> {
  if (bank === undefined) return []
  const before = place.readJson(EVIDENCE)
  if (before !== undefined) return before as readonly Evidence[] // as it was written below
  const evidence = await bank.evidence()
  place.write(EVIDENCE, `${JSON.stringify(evidence)}\n`)
  return evidence
}

interface Telling {
  readonly set: SetUp
  readonly opened: OpenedLab
  readonly verifier: string
}

function tell(result: StreamResult, { set, opened, verifier }: Telling): ExitCode {
  const { args, io, made, budget } = set
  const summary = summariseStream(result)
  const isSimulated = made.model.simulated === true
  const plot = plotStream(result, {
    title: `A stream of ${countOf(summary.tasks, 'task')}`,
    subtitle: `${countOf(summary.orders, 'order')}: mean, least and most; ${cleanLine(made.model.id)}`,
    note: isSimulated ? 'On the simulated model: nothing follows for language models.' : '',
  })
  const path = opened.place.write('stream.svg', plot)
  const outcome = { summary, model: made.model, verifier, spent: opened.lab.spent, budget }
  const report = reportStream({ ...outcome, runs: fileIn(set, 'runs.jsonl'), plot: path })
  opened.place.write('summary.json', `${JSON.stringify(report.json, null, 2)}\n`)
  printListing(report, args, io)
  if (summary.status === 'budget') return EXIT.limit
  return result.orders.flat().some(({ outcome: own, control }) => own.reward === null || control.reward === null)
    ? EXIT.model
    : EXIT.ok
}

/** What a signal ended is gone on with by the same command. */
export function ended(error: unknown, opened: OpenedLab, { args, io, screen }: SetUp): ExitCode {
  const signal = opened.received()
  if (signal === undefined && !(error instanceof BudgetSpent)) throw error
  const why = signal ?? 'the budget is spent'
  const { spent } = opened.lab
  screen.line(`${why}: ${countOf(spent.runs, 'run')} done; the same command goes on with the others`)
  const status = signal === undefined ? 'budget' : 'aborted'
  if (args.switches.has('json')) io.stdout.write(`${cleanJson({ status, reason: why, spent })}\n`)
  if (signal === undefined) return EXIT.limit
  return signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated
}

async function readTasks({ positionals, values }: Arguments, io: Io): Promise<readonly CliTask[]> {
  const [file, ...more] = positionals
  const { worlds, rngs } = values
  if (more.length > 0 || (file !== undefined && worlds !== undefined) || (file === undefined && worlds === undefined)) {
    throw cliError('E_CLI_USAGE', {
      message: '"stream" needs tasks, from one place.',
      where: 'harnesswright stream',
      expected: 'a file with a task in each line, or --worlds <list>',
      fix: 'Write "harnesswright stream tasks.jsonl --out <dir>", or "harnesswright stream --worlds all --out <dir>".',
    })
  }
  if (file !== undefined) return await readTasksFile(file, io.cwd)
  return worldTasks(benchedWorlds(worlds as string), 1, parseCount('rngs', rngs, 12))
}

function readVerifier({ values: { verifier = 'check' } }: Arguments): 'check' | 'person' {
  if (verifier === 'check' || verifier === 'person') return verifier
  throw cliError('E_CLI_OPTION', {
    message: `There is no verifier ${JSON.stringify(verifier)}.`,
    where: '--verifier',
    expected: 'check, which the tasks bring, or person, who is asked on the terminal',
    fix: 'Leave --verifier out, or write --verifier person.',
  })
}
