import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Environment } from '@harnesswright/core'
import { homeOf } from '../home.js'
import { openTaskWorkspace, placeOf, type TaskWorkspace } from '../task/task-workspace.js'
import { type ChosenHarness, chooseHarness } from './choose-harness.js'
import { EventTap } from './event-tap.js'
import { makeEnvironment } from './make-environment.js'
import { createRunDirectory, openTrace, type RunDirectory, type TraceFile } from './run-store.js'
import type { Session } from './session.js'

/** A run that can start: its directory, its workspace with the task's files, and its harness. */
export interface PreparedRun {
  readonly directory: RunDirectory
  readonly workspace: TaskWorkspace
  readonly env: Environment
  readonly chosen: ChosenHarness
  readonly tap: EventTap
  /** The trace of the run's directory, and then the one that was asked for. */
  readonly traces: readonly TraceFile[]
}

/** Prepares a run. Nothing is left behind when that fails. */
export async function prepareRun(session: Session): Promise<PreparedRun> {
  const { io } = session
  const directory = await createRunDirectory(homeOf(io), io.now())
  try {
    return await prepareIn(directory, session)
  } catch (error) {
    await rm(directory.path, { recursive: true, force: true })
    throw error
  }
}

async function prepareIn(directory: RunDirectory, session: Session): Promise<PreparedRun> {
  const { args, io, config, packages, model, limits, given, secrets } = session
  const { world } = given
  const place = placeOf(args, io.cwd)
  const workspace = openTaskWorkspace({ place, task: given.task, runDirectory: directory.path })
  const tap = new EventTap()
  const env = makeEnvironment({
    model,
    config,
    limits,
    opened: workspace.opened,
    secrets,
    isRealTime: args.switches.has('real-time'),
    observe: tap.observe,
    ...(world === undefined ? {} : { world }),
  })
  const chosen = await chooseHarness({ args, cwd: io.cwd, task: workspace.task, env, packages })
  return { directory, workspace, env, chosen, tap, traces: openTraces(session, directory.path) }
}

function openTraces({ args, io, secrets }: Session, directory: string): readonly TraceFile[] {
  const asked = args.values['trace']
  const paths = [join(directory, 'trace.jsonl'), ...(asked === undefined ? [] : [resolve(io.cwd, asked)])]
  return paths.map((path) => openTrace(path, secrets))
}
