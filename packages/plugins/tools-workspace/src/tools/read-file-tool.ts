import type { JsonSchema, Tool } from '@harnesswright/core'
import { readFile } from '../jail/read-file.js'
import { decodeText } from '../jail/text.js'
import type { WorkspaceLimits } from '../limits.js'
import type { FindPlace } from './create-tools.js'
import { selectLines } from './select-lines.js'
import { withNearest } from './with-nearest.js'

const NOTE_CHARS = 500

const PARAMETERS: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path of the file, relative to the workspace, for example "data/notes.txt".' },
    offset: {
      description: 'First line to read, from 1. Default: 1.',
      type: 'integer',
      exclusiveMinimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    limit: {
      description: 'Most lines to read. Default: as many as fit.',
      type: 'integer',
      exclusiveMinimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  required: ['path'],
  additionalProperties: false,
}

interface ReadArguments {
  readonly path: string
  readonly offset?: number
  readonly limit?: number
}

/** `read_file`. */
export function createReadFileTool(find: FindPlace, limits: WorkspaceLimits): Tool {
  return {
    name: 'read_file',
    description:
      'Reads a text file of the workspace, whole or from line "offset" on. A note at the end says when there is more.',
    parameters: PARAMETERS,
    readOnly: true,
    idempotent: true,
    maxResultChars: limits.readChars + NOTE_CHARS,
    async execute({ path, offset, limit }: ReadArguments, ctx) {
      const place = find(ctx)
      const { bytes } = await withNearest(place, path, () => readFile(place, path, place.limits.fileBytes))
      const text = decodeText(bytes, path)
      return selectLines(text, { offset, limit, maxChars: place.limits.readChars })
    },
  }
}
