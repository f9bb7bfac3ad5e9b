import type { Lab, LabChoice, LabOutcome, LabTask } from './lab.js'

/** One run that was made. */
export interface LabRecord {
  readonly task: string
  readonly choice: string
  readonly seed: number
  readonly outcome: LabOutcome
}

/** What runs may cost in all. */
export interface LabBudget {
  readonly tokens?: number
  readonly usd?: number
}

/** Where runs are kept. */
export interface KeptLabOptions {
  /** Runs that were made before: they are not made again. */
  readonly records?: readonly LabRecord[]
  /** Called with each new run, before anybody hears of it. */
  readonly keep?: (record: LabRecord) => void
  /** What all runs together may cost, those of before too; with it spent no further one is begun. Default: no limit. */
  readonly budget?: LabBudget
}

/** Thrown by a lab whose budget is spent. */
export class BudgetSpent extends Error {
  constructor() {
    super('the budget is spent')
    this.name = 'BudgetSpent'
  }
}

/**
 * A lab that makes each run once: another order of the same tasks, or a process that goes on, is given what it came to. A run
 * that the endpoint failed is made again by the next process, not by this one.
 */
export class KeptLab<Task extends LabTask> implements Lab<Task> {
  readonly #lab: Lab<Task>
  readonly #options: KeptLabOptions
  readonly #runs = new Map<string, Promise<LabOutcome>>()
  readonly #spent: { runs: number; tokens: number; usd: number | null } = { runs: 0, tokens: 0, usd: 0 }

  constructor(lab: Lab<Task>, options: KeptLabOptions = {}) {
    this.#lab = lab
    this.#options = options
    for (const record of options.records ?? []) {
      if (record.outcome.reward === null) continue
      this.#runs.set(keyOf(record.task, record.choice, record.seed), Promise.resolve(record.outcome))
      this.#charge(record.outcome)
    }
  }

  /** What all runs cost, each counted once; `usd` is null where some is unknown. */
  get spent(): { readonly runs: number; readonly tokens: number; readonly usd: number | null } {
    return { ...this.#spent }
  }

  look(task: Task): ReturnType<Lab<Task>['look']> {
    return this.#lab.look(task)
  }

  /** @throws BudgetSpent when the budget is spent and the run was not made before. */
  run(task: Task, choice: LabChoice, seed: number): Promise<LabOutcome> {
    const key = keyOf(task.id, choice.name, seed)
    const known = this.#runs.get(key)
    if (known !== undefined) return known
    if (this.#isSpent()) return Promise.reject(new BudgetSpent())
    const made = this.#make(task, choice, seed)
    this.#runs.set(key, made)
    made.catch(() => this.#runs.delete(key))
    return made
  }

  async #make(task: Task, choice: LabChoice, seed: number): Promise<LabOutcome> {
    const outcome = await this.#lab.run(task, choice, seed)
    this.#charge(outcome)
    this.#options.keep?.({ task: task.id, choice: choice.name, seed, outcome })
    return outcome
  }

  #charge({ tokens, usd }: LabOutcome): void {
    this.#spent.runs += 1
    this.#spent.tokens += tokens ?? 0
    this.#spent.usd = this.#spent.usd === null || usd === null ? null : this.#spent.usd + usd
  }

  #isSpent(): boolean {
    const { budget = {} } = this.#options
    return this.#spent.tokens >= (budget.tokens ?? Infinity) || (this.#spent.usd ?? 0) >= (budget.usd ?? Infinity)
  }
}

function keyOf(task: string, choice: string, seed: number): string {
  return JSON.stringify([task, choice, seed])
}
