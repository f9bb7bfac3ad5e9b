import type { Limits, Manifest, Task } from '@harnesswright/protocol'
import { checkLimits } from '../environment/create-environment.js'
import type { Environment } from '../environment/environment.js'
import { HarnessError, messageOf } from '../errors/error.js'
import { faultOf } from '../history/validity.js'
import { copyJson } from '../json/copy.js'
import { mapTexts, wellFormed } from '../json/text.js'
import { minLimits } from '../manifest/limits.js'
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
}

function checkTask(task: Task): Task {
  const refuse = (message: string, cause?: unknown): never => {
    throw new HarnessError('E_RUN_TASK', { message, cause })
  }
  if (typeof task?.instruction !== 'string' || task.instruction.trim() === '') {
    return refuse('The task has no instruction: a text that is not empty was expected.')
  }
  const { messages = [] } = task
  const isList = Array.isArray(messages) && messages.every((message) => typeof message?.role === 'string')
  const fault = isList ? faultOf(messages) : 'they are no list of messages'
  if (fault !== undefined) return refuse(`The messages of the task are no valid history: ${fault}.`)
  try {
    return mapTexts(copyJson(task), wellFormed) as unknown as Task // a copy of a task is one
  } catch (cause) {
    return refuse(`The task is not JSON: ${messageOf(cause)}.`, cause)
  }
}
