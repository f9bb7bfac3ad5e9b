import { defineTool, type Tool } from '@harnesswright/core'
import { z } from 'zod'
import { encodeText } from '../jail/text.js'
import { writeFile } from '../jail/write-file.js'
import type { FindPlace } from './create-tools.js'

const Input = z.strictObject({
  path: z.string().describe('Path of the file, relative to the workspace. Missing folders are made.'),
  content: z.string().describe('The whole new text of the file.'),
})

/** `write_file`. */
export function createWriteFileTool(find: FindPlace): Tool {
  return defineTool({
    name: 'write_file',
    description: 'Writes a text file of the workspace: makes it, or replaces all of its text.',
    input: Input,
    idempotent: true,
    execute({ path, content }, ctx) {
      const place = find(ctx)
      const bytes = encodeText(content, path)
      const { sizeBeforeBytes } = writeFile(place, path, { bytes, maxBytes: place.limits.fileBytes })
      const before = sizeBeforeBytes === undefined ? 'a new file' : `replacing ${sizeBeforeBytes} bytes`
      return `Wrote ${bytes.length} bytes to ${path}, ${before}.`
    },
  })
}
