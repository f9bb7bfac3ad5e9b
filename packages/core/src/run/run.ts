import {
  endOf,
  finiteLimits,
  HarnessError,
  type HarnessEvent,
  isHarnessError,
  messageOf,
  type Question,
  type RunEnd,
  type RunOpening,
  type RunResult,
  type Snapshot,
} from '@harnesswright/protocol'
import { readResult } from '../tools/read-result.js'
import { checkpoint, keep } from './checkpoint.js'
import { finishRun } from './finish.js'
import { limitOf, limitReachedNow } from './limit-check.js'
import type { RunState } from './run-state.js'
import { takeStep } from './step.js'

type End = RunEnd & { readonly questions?: readonly Question[] }

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

  /** The run and its children as JSON, each at its last durable point: {@link Harness.resume} goes on from it. */
  snapshot(): Snapshot {
    return this.#state.snapshot()
  }

  /** The events of the run, from now on; leaving the iteration early aborts the run. */
  [Symbol.asyncIterator](): AsyncGenerator<HarnessEvent, void, undefined> {
    return this.#state.events.read(() => this.abort('nobody reads the run any more'))
  }
}

/** start → repeat step → end. */
export async function drive(run: RunState): Promise<RunResult> {
  const { harness } = run
  run.emit(() => ({ type: 'run-start', manifestId: harness.manifestId, harnessId: harness.harnessId, seed: run.seed }))
  const over = new AbortController()
  let end: End
  try {
    end = await run.gate.guard(Promise.race([proceed(run), overdue(run, over.signal)]))
  } catch (error) {
    end = failed(run, error)
    run.gate.abort('the run has failed') // what is still under way
  }
  over.abort(null)
  end = run.clean(end)
  // A run that waits or was aborted is not over: it goes on from its last durable point.
  const isOver = end.status !== 'waiting' && end.status !== 'aborted' && run.tree.runs[run.path] !== undefined
  if (isOver)
    await keep(run, { end, facts: { warnings: [...run.warnings] } })?.catch((error) => run.warn(messageOf(error)))
  run.gate.close()
  const result = toResult(run, end)
  const warned = await tearDown(run, result)
  const { status, reason, answer } = result
  run.emit(() => ({ type: 'run-end', status, ...(reason === undefined ? {} : { reason }), answer }))
  if (run.path === '') run.events.close()
  return warned ? { ...result, warnings: [...run.warnings] } : result
}

/** Time in ms after the limit of time in which a run must have ended. */
const OVERDUE_MS = 10_000

/** Fails when a module keeps the run from ending at its limit of time, and names it. Simulated time waits for nobody. */
function overdue(run: RunState, over: AbortSignal): Promise<never> {
  const { clock } = run.env
  const ms = run.leftMs() + OVERDUE_MS
  return new Promise((_resolve, reject) => {
    if (clock.isVirtual || !Number.isFinite(ms)) return
    clock.sleep(ms, over).then(
      () => {
        const module = [...run.turn.underWay].at(-1)?.module ?? 'a module'
        const message = `${module} has not settled, ${OVERDUE_MS} ms after the limit of time of the run.`
        reject(new HarnessError('E_RUN_MODULE', { message, module, step: run.turn.step }))
      },
      () => {}, // the run ended before
    )
  })
}

/** Steps until the record says that the run is over. */
async function proceed(run: RunState): Promise<End> {
  try {
    run.gate.signal.throwIfAborted()
    const record = run.tree.runs[run.path]
    run.states.open(record?.states)
    const over = record && endOf(record)
    if (over !== undefined) return over
    await start(run)
    while (true) {
      const reached = limitReachedNow(run)
      if (reached !== undefined) return await limited(run, reached)
      const { end, limit, questions } = await takeStep(run)
      if (questions !== undefined) return { status: 'waiting', questions }
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
  const { mounts, hooks, warnings } = run.harness
  const record = run.tree.runs[run.path]
  run.brought = mounts.flatMap((mount) => [...run.ctx(mount).tools])
  const tools = [...run.tools, ...run.brought]
  const names = tools.map((tool) => tool.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new HarnessError('E_PROTOCOL_TOOL', { message: `Two tools are named "${twice}".`, details: { tool: twice } })
  }
  for (const name of record?.facts.wireTools ?? []) {
    const tool = [...tools, readResult].find((one) => one.name === name)
    if (tool !== undefined) run.wireTools.set(name, tool)
  }
  await checkpoint(run, record === undefined ? { opening: openingOf(run) } : { resumed: true })
  const unpriced = run.env.models().find((model) => model.price === undefined)
  const said = `the limit of money does not hold for calls of "${unpriced?.id}", whose price is not known`
  const all = unpriced !== undefined && Number.isFinite(run.limits.usd) ? [...warnings, said] : warnings
  for (const warning of all.filter((one) => !run.warnings.includes(one))) run.warn(warning)
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

/** What the run is started with, for the journal: a limit that is none is left out. */
function openingOf({ harness, env, task, limits, seed, session, path }: RunState): RunOpening {
  const { manifest, manifestId, harnessId } = harness
  return {
    task,
    limits: finiteLimits(limits),
    seed,
    session,
    ...(env.workspace === undefined ? {} : { workspace: env.workspace }),
    manifestId,
    harnessId,
    ...(path === '' ? { manifest } : {}),
  }
}

function toResult(run: RunState, end: End): RunResult {
  const { harness, head, history, steps } = run
  // The next turn of a conversation has a system message of its own.
  const said = run.clean(head.filter((message) => message.role !== 'system'))
  return {
    answer: null,
    artifacts: [...run.artifacts],
    ...end,
    steps,
    messages: [...said, ...history],
    spent: run.meter.spent(steps.filter((step) => step.end === undefined).length),
    ms: run.usedMs(),
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
