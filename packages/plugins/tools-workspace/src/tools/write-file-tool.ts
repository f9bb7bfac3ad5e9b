import type { JsonSchema, Tool } from '@harnesswright/core'
import { encodeText } from '../jail/text.js'
import { writeFile } from '../jail/write-file.js'
import type { FindPlace } from './create-tools.js'

const PARAMETERS: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path of the file, relative to the workspace. Missing folders are made.' },
    content: { type: 'string', description: 'The whole new text of the file.' },
  },
  required: ['path', 'content'],
  additionalProperties: false,
}

interface WriteArguments {
  readonly path: string
  readonly content: string
}

/** `write_file`. */
export function createWriteFileTool(find: FindPlace): Tool {
  return {
    name: 'write_file',
    description: 'Writes a text file of the workspace: makes it, or replaces all of its text.',
    parameters: PARAMETERS,
    idempotent: true,
    execute({ path, content }: WriteArguments, ctx) {
      const place = find(ctx)
      const bytes = encodeText(content, path)
      const { sizeBeforeBytes } = writeFile(place, path, { bytes, maxBytes: place.limits.fileBytes })
      const before = sizeBeforeBytes === undefined ? 'a new file' : `replacing ${sizeBeforeBytes} bytes`
      return `Wrote ${bytes.length} bytes to ${path}, ${before}.`
    },
  }
}
