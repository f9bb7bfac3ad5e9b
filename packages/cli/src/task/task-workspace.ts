import { join, resolve } from 'node:path'
import { isHarnessError, type Task, type TaskFile } from '@harnesswright/core'
import { type Jail, type OpenedWorkspace, openWorkspace, readIfThere } from '@harnesswright/plugin-tools-workspace'
import type { Arguments } from '../args/parse-arguments.js'
import { cliError } from '../errors/cli-error.js'
import { makeDirectory } from '../make-directory.js'

/** The directory that the tools of a run work in, with the files of the task in it. */
export interface TaskWorkspace {
  readonly directory: string
  readonly opened: OpenedWorkspace
  /** The task, with what is known of the files in the workspace. */
  readonly task: Task
  /** Text of a file; undefined when there is none, or it is no text. */
  readFile(path: string): Promise<string | undefined>
}

/** Which directory the tools of a run work in. */
export interface WorkspacePlace {
  /** The directory that was named. Absent: a new one in that of the run. */
  readonly named?: string
  readonly allowsProjectFiles: boolean
}

/** What a workspace is made from. */
export interface WorkspaceRequest {
  readonly place: WorkspacePlace
  readonly task: Task
  /** Directory of the run, outside every workspace but a new one. */
  readonly runDirectory: string
}

/** @throws HarnessError `E_CLI_USAGE` when project files are allowed and no directory is named. */
export function placeOf({ values, switches }: Pick<Arguments, 'values' | 'switches'>, cwd: string): WorkspacePlace {
  const named = values['workspace']
  const allowsProjectFiles = switches.has('allow-project-files')
  if (named === undefined && allowsProjectFiles) throw noDirectory()
  return { allowsProjectFiles, ...(named === undefined ? {} : { named: resolve(cwd, named) }) }
}

/**
 * Opens the workspace of a run: a new directory with the files of the task, or the one that was named, in which project
 * files are out of reach unless they are allowed.
 *
 * @throws HarnessError `E_CLI_WORKSPACE` when a file of the task would replace another or is not there, `E_WORKSPACE_*` when
 * the directory or a path cannot be used.
 */
export function openTaskWorkspace(request: WorkspaceRequest): TaskWorkspace {
  const { place, task } = request
  const { named } = place
  if (named === undefined) makeDirectory(directoryOf(request))
  const workspace = openPlace(request)
  const jail = jailOf(workspace.opened)
  for (const file of task.files ?? []) placeFile(jail, file, named)
  return task.files === undefined && named !== undefined ? { ...workspace, task: withNamed(task, jail) } : workspace
}

/**
 * Opens the workspace of a run again, as the run left it.
 *
 * @throws HarnessError `E_WORKSPACE_*` when the directory cannot be used.
 */
export function reopenWorkspace(request: WorkspaceRequest): TaskWorkspace {
  return openPlace(request)
}

function openPlace(request: WorkspaceRequest): TaskWorkspace {
  const { place, task, runDirectory } = request
  const directory = directoryOf(request)
  const opened = openWorkspace(directory, {
    protectProjectFiles: place.named !== undefined && !place.allowsProjectFiles,
    forks: join(runDirectory, 'forks'),
  })
  return { directory, opened, task, readFile: async (path) => readIfThere(jailOf(opened), path) }
}

function directoryOf({ place, runDirectory }: WorkspaceRequest): string {
  return place.named ?? join(runDirectory, 'workspace')
}

function jailOf({ workspaces, id }: OpenedWorkspace): Jail {
  return workspaces.jail(id)
}

/** Writes a file that has a text; one without is there already. What is there with another text is never replaced. */
function placeFile(jail: Jail, { path, text }: TaskFile, named: string | undefined): void {
  if (text === undefined) {
    if (named === undefined) throw notThere(path)
    jail.list(path)
    return
  }
  const present = named === undefined ? undefined : bytesOrNothing(jail, path)
  if (present === undefined) jail.write(path, text)
  else if (!Buffer.from(text, 'utf8').equals(present)) throw wouldReplace(path, named ?? '')
}

/**
 * The task with the files of the directory that it names, and their sizes, so that a harness can be composed for them.
 * The other files are the project's, and say nothing of the task.
 */
function withNamed(task: Task, jail: Jail): Task {
  const files = listOrNothing(jail).filter(({ path }) => task.instruction.includes(path))
  return files.length === 0
    ? task
    : { ...task, files: files.map(({ path, sizeBytes }) => ({ path, bytes: sizeBytes })) }
}

/** The files of a directory; none when there are too many to look at. */
function listOrNothing(jail: Jail): ReturnType<Jail['list']> {
  try {
    return jail.list()
  } catch (error) {
    if (isHarnessError(error) && error.code === 'E_WORKSPACE_LIMIT') return []
    throw error
  }
}

function bytesOrNothing(jail: Jail, path: string): Uint8Array | undefined {
  try {
    return jail.read(path)
  } catch (error) {
    if (isHarnessError(error) && error.code === 'E_WORKSPACE_MISSING') return undefined
    throw error
  }
}

function noDirectory(): Error {
  return cliError('E_CLI_USAGE', {
    message: '--allow-project-files was given without --workspace.',
    where: '--allow-project-files',
    expected: '--workspace <dir> beside it',
    fix: 'Add --workspace ., or leave it out.',
  })
}

function notThere(path: string): Error {
  return cliError('E_CLI_WORKSPACE', {
    message: `The task speaks of the file ${JSON.stringify(path)} without its text, and the workspace is new.`,
    where: `files of the task: ${path}`,
    expected: 'a file with "text", or --workspace with the directory that holds it',
    fix: 'Add --workspace <dir>.',
  })
}

function wouldReplace(path: string, directory: string): Error {
  return cliError('E_CLI_WORKSPACE', {
    message: `The workspace has another file ${JSON.stringify(path)} than the task brings.`,
    where: `${directory}: ${path}`,
    expected: 'no such file, or the same one',
    fix: 'Name an empty directory, or leave --workspace out.',
  })
}
