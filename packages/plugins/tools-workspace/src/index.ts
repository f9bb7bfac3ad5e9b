export { type Jail, openJail, type WorkspaceOptions } from './jail/jail.js'
export { readIfThere } from './jail/read-if-there.js'
export type { WorkspaceFile } from './jail/read-tree.js'
export type { WorkspaceLimits } from './limits.js'
export { workspaceTools } from './tools/workspace-tools.js'
export {
  createWorkspaces,
  type DirectoryWorkspaces,
  type WorkspacesOptions,
} from './workspaces/create-workspaces.js'
export { type OpenedWorkspace, type OpenWorkspaceOptions, openWorkspace } from './workspaces/open-workspace.js'
