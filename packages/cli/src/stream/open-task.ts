import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment, RunResult, Task } from '@harnesswright/core'
import { type OpenedWorkspace, openWorkspace, readIfThere } from '@harnesswright/plugin-tools-workspace'
import { generateTask, type WorldTask } from '@harnesswright/plugin-worlds'
import { type EnvironmentParts, makeEnvironment } from '../run/make-environment.js'
import { checkAnswer } from './check-answer.js'
import { checkReadable } from './check-readable.js'
import type { CliTask, FileCliTask } from './tasks.js'

/** A task with a private workspace, in which its files lie. */
export interface OpenedTask {
  readonly task: Task
  readonly env: Environment
  /** What the checker says of a run: from 0 to 1. */
  check(result: RunResult): Promise<number>
  /** Removes the workspace. */
  close(): void
}

/** What the environment of every task is made from. */
export interface TaskSurroundings extends Omit<EnvironmentParts, 'opened' | 'world' | 'isRealTime'> {
  /** Folder in which workspaces are made. */
  readonly folder: string
}

let opened = 0

/**
 * Opens a task in a workspace that nothing else uses.
 *
 * @throws HarnessError `E_CLI_TASK` for a task that the model, a simulated one, cannot read.
 */
export function openTask(task: CliTask, { folder, ...parts }: TaskSurroundings): OpenedTask {
  if ('task' in task && parts.model.simulated === true) checkReadable(task)
  opened += 1
  const own = join(folder, `${process.pid}-${opened}`)
  const files = join(own, 'files')
  mkdirSync(files, { recursive: true })
  const workspace = openWorkspace(files, { forks: join(own, 'forks') })
  const close = (): void => {
    workspace.close()
    rmSync(own, { recursive: true, force: true })
  }
  try {
    const world = 'world' in task ? generateTask(task.world, { rng: task.rng }) : undefined
    const { given, check } = 'world' in task ? ofWorld(world as WorldTask, workspace) : ofFile(task)
    const jail = workspace.workspaces.jail(workspace.id)
    for (const { path, text = '' } of given.files ?? []) jail.write(path, text)
    const ofThis = { opened: workspace, isRealTime: false, ...(world === undefined ? {} : { world }) }
    const env = makeEnvironment({ ...parts, ...ofThis })
    return { task: given, env, check, close }
  } catch (error) {
    close()
    throw error
  }
}

/** A task, and what checks it. */
interface Given {
  readonly given: Task
  readonly check: OpenedTask['check']
}

function ofWorld(world: WorldTask, workspace: OpenedWorkspace): Given {
  const readFile = async (path: string): Promise<string | undefined> =>
    readIfThere(workspace.workspaces.jail(workspace.id), path)
  return {
    given: world.task,
    check: async ({ answer }) => (await world.check(answer === null ? { readFile } : { answer, readFile })).reward,
  }
}

function ofFile({ task, check }: FileCliTask): Given {
  return { given: task, check: async ({ answer }) => ((await checkAnswer(answer, check)) ? 1 : 0) }
}
