import { mixSeed } from '@harnesswright/core'
import {
  type Bank,
  type Cell,
  type CellRace,
  type ClusterEntry,
  type Entry,
  raceCell,
  taskRecord,
} from '@harnesswright/plugin-bank'
import { cellOf, evaluationOf } from '../bank/evaluation-of.js'
import { benchedWorlds } from '../bench/bench-worlds.js'
import { lookAt } from '../stream/look-at.js'
import type { OpenedLab, SetUp } from '../stream/set-up.js'
import { type CliTask, worldTasks } from '../stream/tasks.js'
import { cleanLine } from '../text/clean.js'
import { readableManifest } from './challengers.js'
import { limited } from './limited.js'
import { isUndecided, type NamedRace, type RaceSummary } from './race-report.js'

/** Worlds' tasks of a race have random seeds from here on: far from those of streams and evolutions. */
const FIRST_RACE_RNG = 2_000_001

/** Each race has tasks of its own from a world: so many at most. */
export const MOST_RNGS = 1_000

/** What the words of a command say of a race. */
export interface RaceOptions {
  readonly pairs: number
  readonly rule: 'conservative' | 'paper'
  readonly worlds: string | undefined
  readonly rngs: number
}

/** What a race is held with. */
export interface Racing extends RaceOptions {
  /** Ids of the challengers. */
  readonly ids: readonly string[]
  readonly fromFile: readonly CliTask[] | undefined
  readonly set: SetUp
}

/** What is known of a race that has begun. */
interface Begun {
  /** Decisions of the bank when it began, by which it has tasks and random seeds of its own. Two that begin together have the same. */
  readonly number: number
  readonly done: readonly NamedRace[]
  /** What was decided last, until the bank has it: a process may be ended in between. */
  readonly told?: readonly Entry[]
}

const BEGUN = 'race.json'

interface Around {
  readonly bank: Bank
  readonly opened: OpenedLab
  readonly racing: Racing
}

/** The races of a command, one for each kind of task. */
export class Races {
  readonly #around: Around
  readonly #number: number
  readonly #done: NamedRace[]
  readonly #inTurn: ReturnType<typeof limited>
  #told: readonly Entry[]

  /** Goes on with what the directory holds, or begins. */
  static async open(around: Around): Promise<Races> {
    const begun = around.opened.place.readJson(BEGUN) as Begun | undefined // as it was written by `#keep`
    return new Races(around, begun ?? { number: (await around.bank.counts()).decisions, done: [] })
  }

  private constructor(around: Around, { number, done, told = [] }: Begun) {
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
    const { bank, racing } = this.#around
    const { set, ids, pairs: n, rule } = racing
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
