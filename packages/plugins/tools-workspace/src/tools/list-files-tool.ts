import type { JsonSchema, Tool } from '@harnesswright/core'
import { parsePath } from '../jail/names.js'
import { readTree, type Tree } from '../jail/read-tree.js'
import { countFolders } from './count-folders.js'
import type { FindPlace } from './create-tools.js'
import { withNearest } from './with-nearest.js'

const PARAMETERS: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    path: {
      default: '',
      description: 'Folder to list, relative to the workspace. Default: the whole workspace.',
      type: 'string',
    },
  },
  additionalProperties: false,
}

/** `list_files`. */
export function createListFilesTool(find: FindPlace): Tool {
  return {
    name: 'list_files',
    description:
      'Lists the files of the workspace, or of one folder, with their sizes. Folders with many files are counted.',
    parameters: PARAMETERS,
    readOnly: true,
    idempotent: true,
    async execute({ path = '' }: { readonly path?: string }, ctx) {
      const place = find(ctx)
      const tree = await withNearest(place, path, () => readTree(place, path))
      const folder = parsePath(path).join('/')
      return formatTree(tree, folder, place.limits.listEntries)
    },
  }
}

/** One line a file; one line a folder where there are too many files. */
function formatTree(tree: Tree, folder: string, maxEntries: number): string {
  const { files, oddities, isComplete } = tree
  const all = files.map(({ path, sizeBytes }) => `${path} (${sizeBytes} bytes)`)
  const lines = all.length <= maxEntries ? all : countFolders(files, folder)
  const shown = lines.slice(0, maxEntries)
  if (shown.length === 0) shown.push(folder === '' ? 'The workspace has no files.' : `${folder} has no files.`)
  if (lines.length > shown.length)
    shown.push(`(${lines.length - shown.length} more are not shown; search_files finds them)`)
  else if (lines !== all) shown.push('(list a folder to see its files)')
  if (!isComplete) shown.push('(there are more files than were counted; list a folder)')
  if (oddities.length > 0)
    shown.push(`(${oddities.length} entries are no files that can be used: links, devices, unusable names)`)
  return shown.join('\n')
}
