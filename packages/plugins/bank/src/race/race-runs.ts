import type { Bank, NewEntry } from '../bank.js'
import type { EvaluationEntry } from '../log/entry.js'
import type { RaceRun } from '../rule/race.js'

/** Does a task once with a harness, and tells what it came to. */
export type RunOf<Task> = (harnessId: string, task: Task) => Promise<NewEntry<EvaluationEntry>>

/** The runs of a race: each is made once, and remembered before it counts. */
export class RaceRuns<Task extends { readonly id: string }> {
  readonly #bank: Bank
  readonly #runOf: RunOf<Task>
  readonly #made = new Map<string, Promise<RaceRun>>()

  constructor(bank: Bank, runOf: RunOf<Task>) {
    this.#bank = bank
    this.#runOf = runOf
  }

  /** One harness on one task. The same run serves who asks again. */
  of(harnessId: string, task: Task): Promise<RaceRun> {
    const key = JSON.stringify([harnessId, task.id])
    const known = this.#made.get(key)
    if (known !== undefined) return known
    const made = this.#make(harnessId, task)
    this.#made.set(key, made)
    return made
  }

  /** One harness on tasks, all at once. */
  async ofAll(harnessId: string, tasks: readonly Task[]): Promise<readonly RaceRun[]> {
    return await Promise.all(tasks.map(async (task) => await this.of(harnessId, task)))
  }

  /** Waits until no run is under way. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#made.values())
  }

  async #make(harnessId: string, task: Task): Promise<RaceRun> {
    const evaluation = await this.#runOf(harnessId, task)
    await this.#bank.addEvaluations([evaluation])
    const { reward, rewardKind, usd, ms } = evaluation
    return { reward, rewardKind, usd, ms }
  }
}
