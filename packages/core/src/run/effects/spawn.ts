import {
  childPath,
  childPaths,
  HarnessError,
  isHarnessError,
  leasesOf,
  type Message,
  mapConcurrently,
  messageOf,
  type Observation,
  observationOf,
  observedAs,
  type RunResult,
  type SpawnAction,
  type SubRun,
  type ToolCall,
} from '@harnesswright/protocol'
import { finalObservation } from '../../tools/observation.js'
import { checkpoint } from '../checkpoint.js'
import { childRun, sharesWorkspace } from '../child.js'
import { leftOf } from '../ctx.js'
import { drive } from '../run.js'
import type { RunState } from '../run-state.js'
import { guardCalls, limitOfCalls, questionsOf, waitFor } from './call.js'
import { guardedPart, makeCalls, openCalls, settleCalls } from './calls.js'
import { beginning, type Outcome, outcomeOf, pendingOf } from './effect.js'

/**
 * `spawn`: child runs, each with a lease, at once or in series; calls of the same reply that are no delegations come first.
 * Each child gives one observation, and its record to `ctx.children`. Forked workspaces are merged in the order of the runs.
 */
export async function performSpawn(run: RunState, action: SpawnAction, before: readonly Message[]): Promise<Outcome> {
  const { calls = [] } = action
  checkRuns(run, action.runs, calls)
  const prepared = await guardCalls(run, action, before, calls)
  const asked = questionsOf(prepared)
  if (asked.length > 0) return await waitFor(run, prepared, asked)
  if (pendingOf(run)?.isGuarded !== true) {
    const leases = leasesOf(action.runs, leftOf(run))
    await checkpoint(run, { effect: { ...beginning(run, action, before), ...guardedPart(run, prepared), leases } })
  }
  await makeCalls(run, openCalls(prepared), false)
  const results = new Map<string, RunResult | HarnessError>()
  const left = action.runs.filter((sub) => outcomeOf(run, observedAs(sub)) === undefined)
  await mapConcurrently(left, widthOf(run, action), async (sub) => {
    results.set(sub.id, await runChild(run, action, sub))
  })
  const questions = [...results.values()].flatMap((result) => ('questions' in result ? (result.questions ?? []) : []))
  if (questions.length > 0) return { observations: [], questions }
  for (const path of childPaths(run.tree.runs, run.path)) {
    const result = run.children[path]
    delete run.children[path]
    if (result !== undefined) run.children[path] = result // in the order of the runs, in which a snapshot has them
  }
  const observations = [...(await settleCalls(run, prepared))]
  for (const sub of action.runs) observations.push(await settleChild(run, action, sub))
  const limit = limitOfCalls(run, prepared)
  return { observations, ...(limit && { limit }) }
}

/** What is told of runs and calls is told by id. */
function checkRuns(run: RunState, runs: readonly SubRun[], calls: readonly ToolCall[]): void {
  const lists = [runs.map(({ id }) => id), [...calls.map(({ id }) => id), ...runs.map(observedAs)]]
  const [twice] = lists.flatMap((ids) => ids.filter((id, index) => ids.indexOf(id) !== index))
  if (twice === undefined) return
  const message = `Two calls or child runs of one action have the id "${twice}".`
  throw new HarnessError('E_PROTOCOL_ACTION', { message, slot: 'action', step: run.turn.step })
}

/** Runs that share a workspace come one after another, unless their tools only read. */
function widthOf(run: RunState, { runs, concurrency = run.limits.concurrency }: SpawnAction): number {
  const isFree =
    run.tools.every((tool) => tool.readOnly === true) || runs.every((sub) => !sharesWorkspace(run, sub, true))
  return isFree ? Math.min(concurrency, run.limits.concurrency) : 1
}

/** One child, from its beginning or from where it was. What stops it from being started is its outcome. */
async function runChild(run: RunState, action: SpawnAction, sub: SubRun): Promise<RunResult | HarnessError> {
  const isForked = widthOf(run, action) > 1 && action.runs.length > 1
  const path = childPath(run.path, run.turn.step, sub.id)
  let observation: Observation
  let result: RunResult | HarnessError
  try {
    if (pendingOf(run)?.started.includes(sub.id) !== true) await checkpoint(run, { started: sub.id })
    const child = await childRun(run, sub, path, isForked)
    run.emit(() => ({ type: 'child-start', child: path, instruction: sub.task.instruction }))
    result = await drive(child)
    const { status, reason, questions } = result
    run.emit(() => ({ type: 'child-end', child: path, status, ...(reason === undefined ? {} : { reason }) }))
    run.gate.signal.throwIfAborted()
    if (questions !== undefined) return result
    run.children[path] = result
    observation = observationOf(sub, path, result)
  } catch (error) {
    if (run.isAbort(error)) throw error
    result = isHarnessError(error) ? error : new HarnessError('E_RUN_CHILD', { message: messageOf(error) })
    const { code, message } = result
    observation = {
      callId: observedAs(sub),
      ok: false,
      content: `error: the run ${sub.id} was not started: ${message}`,
      error: { code, message },
    }
  }
  await checkpoint(run, { outcome: run.clean(observation) })
  return result
}

/** The final observation of a child; what it changed in a fork is merged, and what could not be is said. */
async function settleChild(run: RunState, action: SpawnAction, sub: SubRun): Promise<Observation> {
  const observation = outcomeOf(run, observedAs(sub)) as Observation // every child has ended
  const { workspaces, workspace, clock } = run.env
  const { path } = (observation.data ?? {}) as { path?: string }
  const fork = path === undefined ? undefined : run.tree.runs[path]?.opening.workspace
  if (fork === undefined || fork === workspace || workspace === undefined || action.merge === false)
    return finalObservation(run, observation, undefined)
  const conflicts = await clock.during(workspaces?.merge(fork, workspace) ?? Promise.resolve([]))
  const said = conflicts.map((conflict) => `\n- ${conflict.path}: ${conflict.reason}`).join('')
  const content = said === '' ? observation.content : `${observation.content}\nfiles that could not be merged:${said}`
  return finalObservation(run, { ...observation, content }, undefined)
}
