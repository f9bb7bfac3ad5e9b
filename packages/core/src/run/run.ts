import type { HarnessEvent, Json, RunResult, Status } from '@harnesswright/protocol'
import { HarnessError, isHarnessError, messageOf } from '../errors/error.js'
import { finishRun } from './finish.js'
import { limitOf, limitReachedNow } from './limit-check.js'
import type { RunState } from './run-state.js'
import { takeStep } from './step.js'

/** How a run ended, before it is made into a result. */
interface End {
  readonly status: Status
  readonly reason?: string
  readonly answer?: Json
  readonly partial?: boolean
  readonly error?: NonNullable<RunResult['error']>
}

/**
 * One run of a harness: an async iterable of its events, and a promise of its result.
 *
 * The run starts by itself; events are built only if somebody reads them. Leaving the iteration early aborts the run.
 */
export class Run implements AsyncIterable<HarnessEvent> {
  readonly #state: RunState
  /** The record of the run. It does not reject: a failure is a result with status `failed`. */
  readonly result: Promise<RunResult>

  /** @internal */
  constructor(state: RunState) {
    this.#state = state
    // In a later microtask, so that a reader who begins at once misses nothing.
    this.result = Promise.resolve().then(() => drive(state))
  }

  /** Ends the run with status `aborted`, within 200 ms, whatever its tools do. */
  abort(reason?: string): void {
    this.#state.gate.abort(reason)
  }

  /** The events of the run, from now on; leaving the iteration early aborts the run. */
  [Symbol.asyncIterator](): AsyncGenerator<HarnessEvent, void, undefined> {
    return this.#state.events.read(() => this.abort('nobody reads the run any more'))
  }
}

/** start → repeat step → end. */
async function drive(run: RunState): Promise<RunResult> {
  const { harness } = run
  run.emit(() => ({ type: 'run-start', manifestId: harness.manifestId, harnessId: harness.harnessId, seed: run.seed }))
  let end: End
  try {
    end = await run.gate.guard(proceed(run))
  } catch (error) {
    end = failed(run, error)
  }
  run.gate.close()
  const result = toResult(run, end)
  const warned = await tearDown(run, result)
  const { status, reason, answer } = result
  run.emit(() => ({ type: 'run-end', status, ...(reason === undefined ? {} : { reason }), answer }))
  run.events.close()
  return warned ? { ...result, warnings: [...run.warnings] } : result
}

/** Steps until the record says that the run is over. */
async function proceed(run: RunState): Promise<End> {
  try {
    run.gate.signal.throwIfAborted()
    await start(run)
    while (true) {
      const reached = limitReachedNow(run)
      if (reached !== undefined) return await limited(run, reached)
      const { end, limit } = await takeStep(run)
      if (end !== undefined) return end
      if (limit !== undefined) return await limited(run, limit)
    }
  } catch (error) {
    const limit = limitOf(error)
    if (limit === undefined) throw error
    return await limited(run, limit)
  }
}

async function start(run: RunState): Promise<void> {
  const { mounts, hooks } = run.harness
  run.states.open()
  run.brought = mounts.flatMap((mount) => [...run.ctx(mount).tools])
  const names = [...run.tools, ...run.brought].map((tool) => tool.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new HarnessError('E_PROTOCOL_TOOL', { message: `Two tools are named "${twice}".`, details: { tool: twice } })
  }
  const unpriced = run.env.models().find((model) => model.price === undefined)
  if (unpriced !== undefined && Number.isFinite(run.limits.usd))
    run.warn(`the limit of money does not hold for calls of "${unpriced.id}", whose price is not known`)
  await hooks.runStart.promise(run.turn)
}

async function limited(run: RunState, reason: string): Promise<End> {
  const isDone = reason === 'done'
  if (!isDone) run.emit(() => ({ type: 'limit', reason }))
  const { answer, partial } = await finishRun(run, reason, isDone ? 'answered' : 'limit')
  if (isDone && answer !== null && !partial) return { status: 'answered', answer }
  return { status: 'limit', reason, answer, ...(partial ? { partial } : {}) }
}

function failed(run: RunState, error: unknown): End {
  if (run.isAbort(error)) return { status: 'aborted', reason: messageOf(error) }
  const coded = isHarnessError(error)
    ? error
    : new HarnessError('E_RUN_MODULE', { message: messageOf(error), cause: error })
  const { code, slot, module, step } = coded
  return {
    status: 'failed',
    reason: code === 'E_RUN_EMPTY_REPLY' ? 'empty_reply' : code,
    error: {
      code,
      message: coded.message,
      ...(slot === undefined ? {} : { slot }),
      ...(module === undefined ? {} : { module }),
      ...(step === undefined ? {} : { step }),
    },
  }
}

function toResult(run: RunState, end: End): RunResult {
  const { harness, env, head, history, steps } = run
  // The next turn of a conversation has a system message of its own.
  const said = run.clean(head.filter((message) => message.role !== 'system'))
  return {
    answer: null,
    ...run.clean(end),
    artifacts: [...run.artifacts],
    steps,
    messages: [...said, ...history],
    spent: run.meter.spent(steps.filter((step) => step.end === undefined).length),
    ms: env.clock.now() - run.startedAt,
    manifestId: harness.manifestId,
    harnessId: harness.harnessId,
    children: { ...run.children },
    warnings: [...run.warnings],
  }
}

/** Time in ms in which all modules must end, and that after an abort. */
const END_MS = 10_000
const ABORTED_END_MS = 100

/** Tears down in reverse order, each tap on its own and none for ever; says whether something was warned of. */
async function tearDown(run: RunState, result: RunResult): Promise<boolean> {
  const taps = run.harness.hooks.runEnd.taps as unknown as readonly {
    module: string
    fn: (...args: unknown[]) => Promise<unknown>
  }[]
  const { clock } = run.env
  const before = run.warnings.length
  const until = clock.now() + (result.status === 'aborted' ? ABORTED_END_MS : END_MS)
  for (const { module, fn } of taps.toReversed()) {
    const timer = new AbortController()
    const over = clock.sleep(Math.max(0, until - clock.now()), timer.signal).then(
      () => Promise.reject(new Error('it takes too long')),
      () => {},
    )
    try {
      await Promise.race([clock.during(fn(result, run.turn)), over])
    } catch (error) {
      run.warn(`${module} failed to end: ${messageOf(error)}`, module)
    } finally {
      timer.abort(null)
    }
  }
  return run.warnings.length > before
}
