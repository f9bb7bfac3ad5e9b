import { mixSeed } from '@harnesswright/core'
import {
  type Bank,
  type Cell,
  type CellRace,
  type ClusterEntry,
  DEFAULT_RACE_PAIRS,
  type Entry,
  raceCell,
  taskRecord,
} from '@harnesswright/plugin-bank'
import type { Arguments } from '../args/parse-arguments.js'
import { parseCount } from '../args/parse-count.js'
import { cellOf, evaluationOf } from '../bank/evaluation-of.js'
import { openNamedBank } from '../bank/open.js'
import { benchedWorlds } from '../bench/bench-worlds.js'
import { cliError } from '../errors/cli-error.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { challengersOf, readableManifest } from '../race/challengers.js'
import { limited } from '../race/limited.js'
import { isUndecided, type NamedRace, type RaceSummary, reportRaces } from '../race/race-report.js'
import { lookAt } from '../stream/look-at.js'
import { type OpenedLab, openLab, type SetUp, setUp } from '../stream/set-up.js'
import { type CliTask, worldTasks } from '../stream/tasks.js'
import { readTasksFile } from '../stream/tasks-file.js'
import { cleanLine } from '../text/clean.js'
import { printListing } from './list-command.js'
import { ended } from './stream.js'

/** Worlds' tasks of a race have random seeds from here on: far from those of streams and evolutions. */
const FIRST_RACE_RNG = 2_000_001

/** Each race has tasks of its own from a world: so many at most. */
const MOST_RNGS = 1_000

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
      return await raceOn(bank, { ...options, challengers: words.challengers, fromFile, set })
    } finally {
      await bank.close()
    }
  } finally {
    await set.made.close?.()
  }
}

/** What a race is held with. */
interface Racing extends RaceOptions {
  readonly challengers: string
  readonly fromFile: readonly CliTask[] | undefined
  readonly set: SetUp
}

/** What is known of a race that has begun. */
interface Begun {
  /** Decisions of the bank when it began: no two races of a bank have the same. */
  readonly number: number
  readonly done: readonly NamedRace[]
  /** What was decided last, until the bank has it: a process may be ended in between. */
  readonly told?: readonly Entry[]
}

async function raceOn(bank: Bank, racing: Racing): Promise<ExitCode> {
  const { set, challengers, pairs, rule } = racing
  const ids = await challengersOf(challengers, bank, set)
  const settings = {
    bank: bank.directory,
    race: ids,
    pairs,
    rule,
    tasks: racing.fromFile?.map(({ id }) => id) ?? racing.worlds ?? null,
  }
  const opened = await openLab(set, { settings })
  try {
    const begun = opened.place.readJson(BEGUN) as Begun | undefined // as it was written below
    const races = new Races(
      { bank, opened, racing, ids },
      begun ?? { number: (await bank.counts()).decisions, done: [] },
    )
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

const BEGUN = 'race.json'

interface Around {
  readonly bank: Bank
  readonly opened: OpenedLab
  readonly racing: Racing
  readonly ids: readonly string[]
}

/** The races of a command, one for each kind of task. */
class Races {
  readonly #around: Around
  readonly #number: number
  readonly #done: NamedRace[]
  readonly #inTurn: ReturnType<typeof limited>
  #told: readonly Entry[]

  constructor(around: Around, { number, done, told = [] }: Begun) {
    this.#around = around
    this.#number = number
    this.#done = [...done]
    this.#told = told
    this.#inTurn = limited(around.racing.set.concurrency)
  }

  async run(): Promise<RaceSummary> {
    const { bank, opened, racing } = this.#around
    await bank.append(this.#told)
    this.#told = []
    this.#keep()
    const open: NamedRace[] = []
    for (const [cluster, tasks] of await this.#kinds()) {
      if (this.#done.some((race) => race.cluster.id === cluster.id)) continue
      const race = await this.#race(cluster, tasks)
      if (this.#done.includes(race)) this.#told = []
      else if (isUndecided(race)) open.push(race)
      else this.#done.push(race)
      this.#keep()
    }
    const { model } = racing.set.made
    const rows = await bank.harnesses()
    const names = Object.fromEntries(rows.map(({ id, name }) => [id, name]))
    const simulated = model.simulated === true
    const races = [...this.#done, ...open]
    return { model: model.id, simulated, spent: opened.lab.spent, races, names }
  }

  /** A race of which something was decided is among those that are done when it is given back. */
  async #race(cluster: ClusterEntry, tasks: readonly CliTask[]): Promise<NamedRace> {
    const { bank, racing, ids } = this.#around
    const { set, pairs: n, rule } = racing
    const cell = cellOf(cluster.id, set.made.model)
    const failures: string[] = []
    let runs = 0
    const named = (race: CellRace): NamedRace => {
      const { id, name } = cluster
      return { ...race, cluster: { id, name }, tasks: tasks.length, failures: [...new Set(failures)] }
    }
    let kept: NamedRace | undefined
    const race = await raceCell(bank, {
      cell,
      challengerIds: ids,
      tasks,
      n,
      rule,
      runOf: async (harnessId, task) => {
        const evaluation = await this.#inTurn(async () => await this.#run(harnessId, task, cell))
        if (evaluation.masked) failures.push(evaluation.failureKind ?? 'unknown')
        runs += 1
        set.screen.status(`${cleanLine(cluster.name)}: ${runs} runs`)
        return evaluation
      },
      onDecided: (decided, entries) => {
        if (entries.length === 0) return
        kept = named(decided)
        this.#done.push(kept)
        this.#told = entries
        this.#keep()
      },
    })
    return kept ?? named(race)
  }

  async #run(harnessId: string, task: CliTask, { clusterId }: Cell): Promise<ReturnType<typeof evaluationOf>> {
    const { bank, opened, racing } = this.#around
    const { made, config, limits, rng } = racing.set
    opened.signal.throwIfAborted()
    const manifest = await readableManifest(await bank.harness(harnessId), racing.set)
    const seed = 'world' in task ? task.rng : mixSeed(rng, `race ${this.#number} ${task.id}`)
    const outcome = await opened.lab.run(task, { name: harnessId, manifest }, seed)
    return evaluationOf(
      { task: task.id, choice: harnessId, seed, outcome: { ...outcome, harnessId } },
      {
        by: 'race',
        model: made.model,
        clusterId,
        limits: { ...config.defaults.limits, ...limits },
        rewardKind: 'hard',
      },
    )
  }

  /** The tasks by their kinds, in their order. */
  async #kinds(): Promise<ReadonlyMap<ClusterEntry, readonly CliTask[]>> {
    const { bank, opened } = this.#around
    const ids = new Map<string, CliTask[]>()
    for (const task of this.#tasks()) {
      const { text, features } = await lookAt(task, opened)
      const { cluster } = await bank.clusterOf({ taskId: task.id, text, features: taskRecord(features) })
      ids.set(cluster.id, [...(ids.get(cluster.id) ?? []), task])
    }
    const clusters = (await bank.clusters()).filter(({ id }) => ids.has(id))
    return new Map(clusters.map((cluster) => [cluster, ids.get(cluster.id) ?? []]))
  }

  #tasks(): readonly CliTask[] {
    const { fromFile, worlds, rngs } = this.#around.racing
    if (fromFile !== undefined) return fromFile
    return worldTasks(benchedWorlds(worlds ?? 'all'), FIRST_RACE_RNG + this.#number * MOST_RNGS, rngs)
  }

  #keep(): void {
    const begun: Begun = { number: this.#number, done: this.#done, told: this.#told }
    this.#around.opened.place.write(BEGUN, `${JSON.stringify(begun)}\n`)
  }
}

interface RaceOptions {
  readonly pairs: number
  readonly rule: 'conservative' | 'paper'
  readonly worlds: string | undefined
  readonly rngs: number
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
