import {
  HarnessError,
  limitReached,
  minLimits,
  mixSeed,
  nearestNames,
  type SubRun,
  wholeLimits,
} from '@harnesswright/protocol'
import { checkTask } from '../assemble/check-task.js'
import type { Environment } from '../environment/environment.js'
import { type HarnessCore, RunState } from './run-state.js'

/**
 * A child run: the environment, signal, meter, events and artifacts of its parent, and nothing else of it. It goes on where
 * it was, if it was begun before the tree was interrupted.
 *
 * @throws HarnessError for what stops it from being started: depth, lease, tools, model, harness, task.
 */
export async function childRun(run: RunState, sub: SubRun, path: string, isForked: boolean): Promise<RunState> {
  const { tree, limits, depth, gate } = run
  if (depth >= limits.depth) throw limitReached('depth', 0, 1)
  const lease = tree.runs[run.path]?.pending?.leases?.[sub.id] ?? {}
  const empty = Object.entries(lease).find(([, value]) => value === 0)
  if (empty !== undefined) throw limitReached(empty[0], 0, 1)
  const harness = await harnessOf(run, sub)
  const known = tree.runs[path]
  return new RunState({
    harness,
    env: await environmentOf(run, sub, path, isForked),
    task: checkTask(sub.task),
    limits: known
      ? wholeLimits(known.opening.limits)
      : minLimits(limits, harness.manifest.limits ?? {}, sub.limits ?? {}, lease as object),
    seed: mixSeed(run.seed, path),
    signal: gate.signal,
    parent: run,
    path,
    ...(known && { saved: { version: 1, runs: tree.runs } }),
  })
}

async function harnessOf(run: RunState, { harness = 'self' }: SubRun): Promise<HarnessCore> {
  return harness === 'self' ? run.harness : await run.env.clock.during(run.harness.child(harness)) // modules are imported
}

/** Whether a child works in the workspace of its parent. */
export function sharesWorkspace({ env }: RunState, { workspace }: SubRun, isForked: boolean): boolean {
  if (env.workspace === undefined || workspace === 'none') return false
  if (env.workspaces === undefined) return true
  return workspace === 'share' || (workspace === undefined && !isForked)
}

/** The environment of the parent, narrowed to the tools, the model and the workspace of the child. */
async function environmentOf(run: RunState, sub: SubRun, path: string, isForked: boolean): Promise<Environment> {
  const { env, tools } = run
  const { model, tools: names = tools.map((tool) => tool.name) } = sub
  const { workspace: _own, ...rest } = env
  if (model !== undefined) env.model(model)
  const workspace = await workspaceOf(run, sub, path, isForked)
  return Object.freeze({
    ...rest,
    tools: names.map((name) => {
      const tool = tools.find((one) => one.name === name)
      if (tool !== undefined) return tool
      const nearest = nearestNames(
        name,
        tools.map((one) => one.name),
      ).join(', ')
      throw new HarnessError('E_TOOL_UNKNOWN', { message: `there is no tool "${name}" for it; nearest: ${nearest}` })
    }),
    model: (id?: string) => env.model(id ?? model),
    ...(workspace === undefined ? {} : { workspace }),
  })
}

/** Where the child works: with its parent, in a fork that it has already or that is made now, or nowhere. */
async function workspaceOf(run: RunState, sub: SubRun, path: string, isForked: boolean): Promise<string | undefined> {
  const { workspace, workspaces, clock } = run.env
  const known = run.tree.runs[path]
  if (known !== undefined) return known.opening.workspace
  if (sharesWorkspace(run, sub, isForked)) return workspace
  if (workspace === undefined || workspaces === undefined || sub.workspace === 'none') return undefined
  const fork = `${workspace}/${path}`
  await clock.during(workspaces.discard(fork).then(() => workspaces.fork(workspace, fork))) // one that was left half-way
  return fork
}
