import { mkdirSync, realpathSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MergeConflict, Tool, Workspaces } from '@harnesswright/core'
import { hasCode } from '../errors.js'
import { type Jail, toJail, type WorkspaceOptions } from '../jail/jail.js'
import { comparePaths } from '../jail/names.js'
import { removeFile } from '../jail/remove.js'
import { parseLimits } from '../limits.js'
import { createTools } from '../tools/create-tools.js'
import { assertPlain, copyAll, copyOne, takeSnapshot } from './contents.js'
import { planCommit, planMerge } from './plan-merge.js'
import { createStore, type Store } from './store.js'

/** Where workspaces are kept, and what their tools do at most. */
export interface WorkspacesOptions extends WorkspaceOptions {
  /** The directory that holds the workspaces; made when it is not there. */
  readonly root: string
}

/**
 * Workspaces as directories of this computer.
 *
 * A workspace is its files: links and devices are refused, and folders are there because of the files in them.
 * `fork`, `merge`, `commit` and `discard` are done one after another.
 */
export interface DirectoryWorkspaces extends Workspaces {
  /**
   * Adds an empty workspace.
   *
   * @throws HarnessError `E_WORKSPACE_EXISTS` when there is one of that id.
   */
  create(id: string): Promise<Jail>
  /**
   * The files of a workspace, for the host.
   *
   * @throws HarnessError `E_WORKSPACE_UNKNOWN` when there is none of that id.
   */
  jail(id: string): Jail
  /**
   * The absolute path of a workspace's directory. What is read and written there past the jail is not checked.
   *
   * @throws HarnessError `E_WORKSPACE_UNKNOWN` when there is none of that id.
   */
  directory(id: string): string
  /** `list_files`, `read_file`, `write_file`, `search_files` and `calculator`, in the workspace of the run that calls, or always in that of `id`. */
  tools(id?: string): readonly Tool[]
}

/**
 * Makes workspaces below a directory.
 *
 * @throws HarnessError `E_WORKSPACE_OPTION` when a limit is no positive integer.
 */
export function createWorkspaces(options: WorkspacesOptions): DirectoryWorkspaces {
  const place = toPlaceOptions(options)
  mkdirSync(options.root, { recursive: true })
  const root = realpathSync(options.root)
  return fromStore(createStore({ root: () => root, place }))
}

/** The options of every place, checked. */
export function toPlaceOptions({ limits, protectProjectFiles = false }: WorkspaceOptions) {
  return { limits: parseLimits(limits), protectProjectFiles }
}

/** Workspaces over a store. */
export function fromStore(store: Store): DirectoryWorkspaces {
  const inTurn = createQueue()
  return Object.freeze<DirectoryWorkspaces>({
    create: (id) => inTurn(() => store.add(id, async () => new Map())).then(() => toJail(store.place(id))),
    fork: (id, as) => inTurn(async () => store.add(as, (place) => copyAll(store.place(id), place))),
    merge: (id, into) => inTurn(() => merge(store, id, into)),
    commit: (id, into) => inTurn(() => commit(store, id, into)),
    discard: (id) => inTurn(async () => store.remove(id)),
    jail: (id) => toJail(store.place(id)),
    directory: (id) => store.directory(id),
    tools: (id) => createTools(store, id),
  })
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>

function createQueue(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}

async function merge(store: Store, id: string, into: string): Promise<readonly MergeConflict[]> {
  const [from, to] = [store.place(id), store.place(into)]
  const theirs = await takeSnapshot(from)
  const ours = await takeSnapshot(to)
  const plan = planMerge({ base: store.base(id), theirs: theirs.contents, ours: ours.contents })
  const conflicts = [...plan.conflicts]
  const attempt = async (path: string, work: () => void) => {
    await nextTurn()
    const conflict = tryToApply(path, work)
    if (conflict !== undefined) conflicts.push(conflict)
  }
  for (const path of plan.remove) await attempt(path, () => removeFile(to, path))
  for (const path of plan.write) await attempt(path, () => copyOne(from, to, path))
  for (const { path, what } of theirs.oddities) conflicts.push({ path, reason: `is ${what}, which is not copied` })
  return conflicts.sort((a, b) => comparePaths(a.path, b.path))
}

/** What the path itself forbids is a conflict; what goes wrong otherwise ends the merge, which may be made again. */
function tryToApply(path: string, work: () => void): MergeConflict | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    const isOfPath = hasCode(
      error,
      'E_WORKSPACE_KIND',
      'E_WORKSPACE_LINK',
      'E_WORKSPACE_COLLISION',
      'E_WORKSPACE_READ_ONLY',
    )
    if (isOfPath) return { path, reason: error.message }
    throw error
  }
}

async function commit(store: Store, id: string, into: string): Promise<void> {
  const [from, to] = [store.place(id), store.place(into)]
  const theirs = await takeSnapshot(from)
  assertPlain(theirs.oddities)
  const plan = planCommit(theirs.contents, (await takeSnapshot(to)).contents)
  for (const path of plan.remove) removeFile(to, path)
  for (const path of plan.write) {
    await nextTurn()
    copyOne(from, to, path)
  }
}
