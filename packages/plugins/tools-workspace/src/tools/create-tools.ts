import type { Tool, ToolContext } from '@harnesswright/core'
import { workspaceError } from '../errors.js'
import type { Place } from '../jail/place.js'
import type { Store } from '../workspaces/store.js'
import { createCalculatorTool } from './calculator-tool.js'
import { createListFilesTool } from './list-files-tool.js'
import { createReadFileTool } from './read-file-tool.js'
import { createSearchFilesTool } from './search-files-tool.js'
import { createWriteFileTool } from './write-file-tool.js'

/** Finds the place a call works in. Throws `E_WORKSPACE_UNKNOWN`. */
export type FindPlace = (ctx: ToolContext) => Place

/** The five tools over a store: in the workspace of the run that calls, or always in the one of that id. */
export function createTools(store: Store, id?: string): readonly Tool[] {
  const find: FindPlace = (ctx) => {
    const wanted = id ?? ctx.workspace
    if (wanted !== undefined) return store.place(wanted)
    throw workspaceError('E_WORKSPACE_UNKNOWN', 'This run has no workspace, so there are no files.')
  }
  const { limits } = store
  return Object.freeze([
    createListFilesTool(find),
    createReadFileTool(find, limits),
    createWriteFileTool(find),
    createSearchFilesTool(find, limits),
    createCalculatorTool(),
  ])
}
