import type { JsonSchema, Tool } from '@harnesswright/core'
import type { WorkspaceLimits } from '../limits.js'
import { formatResult } from '../search/format-result.js'
import { type FileSearch, searchFiles } from '../search/search-files.js'
import type { FindPlace } from './create-tools.js'
import { withNearest } from './with-nearest.js'

const NOTE_CHARS = 500

const PARAMETERS: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: 'Text that a line must contain, exactly as written.',
    },
    path: {
      default: '',
      description: 'Folder or file to search, relative to the workspace. Default: all files.',
      type: 'string',
    },
    pattern: {
      default: false,
      description: 'True: the query is a JavaScript regular expression. Default: false.',
      type: 'boolean',
    },
  },
  required: ['query'],
  additionalProperties: false,
}

interface SearchArguments {
  readonly query: string
  readonly path?: string
  readonly pattern?: boolean
}

/** `search_files`. */
export function createSearchFilesTool(find: FindPlace, limits: WorkspaceLimits): Tool {
  return {
    name: 'search_files',
    description: 'Finds the lines that contain a text in the files of the workspace. Each result is "path:line: text".',
    parameters: PARAMETERS,
    readOnly: true,
    idempotent: true,
    maxResultChars: limits.searchChars + NOTE_CHARS,
    async execute({ query, path = '', pattern = false }: SearchArguments, ctx) {
      const place = find(ctx)
      const search: FileSearch = { query, path, isPattern: pattern, signal: ctx.signal }
      const result = await withNearest(place, path, () => searchFiles(place, search))
      return formatResult(search, result, place.limits.searchChars)
    },
  }
}
