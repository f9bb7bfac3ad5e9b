import {
  checkLimits,
  type Json,
  type Limits,
  type Manifest,
  minLimits,
  type Snapshot,
  type Task,
  wholeLimits,
} from '@harnesswright/protocol'
import type { Environment } from '../environment/environment.js'
import { Run } from '../run/run.js'
import { type HarnessCore, RunState } from '../run/run-state.js'
import { checkAnswers, checkSnapshot } from './check-snapshot.js'
import { checkTask } from './check-task.js'

/** How one run is made. */
export interface RunOptions {
  /** Aborts the run. */
  readonly signal?: AbortSignal
  /** The random seed: with a deterministic model and a virtual clock it decides the whole trace. Default 1. */
  readonly seed?: number
  /** Limits of this run, below those of the host and the manifest. */
  readonly limits?: Partial<Limits>
}

/** How a run goes on. */
export interface ResumeOptions {
  /** Aborts the run. */
  readonly signal?: AbortSignal
  /** Answers to the questions for which the run waits, by their ids. */
  readonly answers?: Readonly<Record<string, Json>>
}

/** An assembled harness: frozen, and good for any number of runs, at once too. */
export class Harness {
  readonly #core: HarnessCore
  readonly #env: Environment

  /** @internal */
  constructor(core: HarnessCore, env: Environment) {
    this.#core = core
    this.#env = env
  }

  /** The manifest that was assembled. */
  get manifest(): Manifest {
    return this.#core.manifest
  }

  /** Identity of what was configured: `sha256:` and 64 hex digits. */
  get manifestId(): string {
    return this.#core.manifestId
  }

  /** Identity of what runs: the manifest and the exact code of every package. */
  get harnessId(): string {
    return this.#core.harnessId
  }

  /**
   * Runs a task.
   *
   * @returns The run, under way: iterate it for events, await `run.result` for the record.
   * @throws HarnessError `E_RUN_TASK` when the task has no instruction, is not JSON, or has messages that are no valid
   * history; `E_ENV_INVALID` when a limit is no number from 0 up.
   */
  run(task: Task | string, options: RunOptions = {}): Run {
    const { manifest } = this.#core
    const limits = minLimits(this.#env.limits, manifest.limits ?? {}, checkLimits(options.limits))
    const state = new RunState({
      harness: this.#core,
      env: this.#env,
      task: checkTask(typeof task === 'string' ? { instruction: task } : task),
      limits,
      seed: options.seed ?? 1,
      signal: options.signal,
    })
    return new Run(state)
  }

  /**
   * Goes on with a run from where it was durable: what was done is not done again, and a model is asked nothing that it has
   * answered. A run that failed by an error is tried again; one that is over gives its result.
   *
   * @param snapshot - Of `run.snapshot()`, of a `checkpoint`, or read from a journal. The workspace must be as it was then, or later.
   * @throws HarnessError `E_RUN_SNAPSHOT` when it is none, or is of another manifest; `E_RUN_ANSWER` when an answer is to no
   * question, or has another shape than asked for.
   */
  async resume(snapshot: Snapshot, { signal, answers = {} }: ResumeOptions = {}): Promise<Run> {
    const { opening } = checkSnapshot(snapshot, this.#core.manifestId)
    await checkAnswers(snapshot, answers)
    const limits = minLimits(wholeLimits(opening.limits), this.#env.limits)
    const { task, seed, workspace } = opening
    const env = workspace === undefined ? this.#env : Object.freeze({ ...this.#env, workspace })
    return new Run(new RunState({ harness: this.#core, env, task, limits, seed, signal, saved: snapshot, answers }))
  }
}
