import { defineTool, type Tool } from '@harnesswright/core'
import { z } from 'zod'
import type { WorkspaceLimits } from '../limits.js'
import { formatResult } from '../search/format-result.js'
import { type FileSearch, searchFiles } from '../search/search-files.js'
import type { FindPlace } from './create-tools.js'
import { withNearest } from './with-nearest.js'

const NOTE_CHARS = 500

const Input = z.strictObject({
  query: z.string().min(1).max(1000).describe('Text that a line must contain, exactly as written.'),
  path: z.string().default('').describe('Folder or file to search, relative to the workspace. Default: all files.'),
  pattern: z.boolean().default(false).describe('True: the query is a JavaScript regular expression. Default: false.'),
})

/** `search_files`. */
export function createSearchFilesTool(find: FindPlace, limits: WorkspaceLimits): Tool {
  return defineTool({
    name: 'search_files',
    description: 'Finds the lines that contain a text in the files of the workspace. Each result is "path:line: text".',
    input: Input,
    readOnly: true,
    idempotent: true,
    maxResultChars: limits.searchChars + NOTE_CHARS,
    async execute({ query, path, pattern }, ctx) {
      const place = find(ctx)
      const search: FileSearch = { query, path, isPattern: pattern, signal: ctx.signal }
      const result = await withNearest(place, path, () => searchFiles(place, search))
      return formatResult(search, result, place.limits.searchChars)
    },
  })
}
