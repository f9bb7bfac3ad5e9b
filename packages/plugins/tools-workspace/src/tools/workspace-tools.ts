import type { Tool } from '@harnesswright/core'
import type { DirectoryWorkspaces } from '../workspaces/create-workspaces.js'

/** The five tools of these workspaces; each call works in the workspace of the run that makes it. */
export function workspaceTools(workspaces: DirectoryWorkspaces): readonly Tool[] {
  return workspaces.tools()
}
