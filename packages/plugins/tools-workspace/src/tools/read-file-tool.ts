import { defineTool, type Tool } from '@harnesswright/core'
import { z } from 'zod'
import { readFile } from '../jail/read-file.js'
import { decodeText } from '../jail/text.js'
import type { WorkspaceLimits } from '../limits.js'
import type { FindPlace } from './create-tools.js'
import { selectLines } from './select-lines.js'
import { withNearest } from './with-nearest.js'

const NOTE_CHARS = 500

const Input = z.strictObject({
  path: z.string().describe('Path of the file, relative to the workspace, for example "data/notes.txt".'),
  offset: z.int().positive().optional().describe('First line to read, from 1. Default: 1.'),
  limit: z.int().positive().optional().describe('Most lines to read. Default: as many as fit.'),
})

/** `read_file`. */
export function createReadFileTool(find: FindPlace, limits: WorkspaceLimits): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a text file of the workspace, whole or from line "offset" on. A note at the end says when there is more.',
    input: Input,
    readOnly: true,
    idempotent: true,
    maxResultChars: limits.readChars + NOTE_CHARS,
    async execute({ path, offset, limit }, ctx) {
      const place = find(ctx)
      const { bytes } = await withNearest(place, path, () => readFile(place, path, place.limits.fileBytes))
      const text = decodeText(bytes, path)
      return selectLines(text, { offset, limit, maxChars: place.limits.readChars })
    },
  })
}
