import { HarnessError } from '../errors/error.js'
import { copyJson } from '../json/copy.js'
import { minLimits } from '../manifest/limits.js'
import type { Environment, Limits, Manifest, Task } from '../protocol/index.js'
import { Run } from '../run/run.js'
import { type HarnessCore, RunState } from '../run/run-state.js'

/** How one run is made. */
export interface RunOptions {
  /** Aborts the run. */
  readonly signal?: AbortSignal
  /** The random seed: with a deterministic model and a virtual clock it decides the whole trace. Default 1. */
  readonly seed?: number
  /** Limits of this run, below those of the host and the manifest. */
  readonly limits?: Partial<Limits>
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
   * @throws HarnessError `E_RUN_TASK` when the task has no instruction or is not JSON.
   */
  run(task: Task | string, options: RunOptions = {}): Run {
    const { manifest } = this.#core
    const limits = minLimits(this.#env.limits, manifest.limits ?? {}, options.limits ?? {})
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
}

function checkTask(task: Task): Task {
  if (typeof task?.instruction !== 'string' || task.instruction.trim() === '') {
    throw new HarnessError('E_RUN_TASK', {
      message: 'The task has no instruction: a text that is not empty was expected.',
    })
  }
  try {
    return copyJson(task) as unknown as Task
  } catch (cause) {
    throw new HarnessError('E_RUN_TASK', { message: `The task is not JSON: ${(cause as Error).message}.`, cause })
  }
}
