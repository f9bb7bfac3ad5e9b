import { asText, type Json, type Tool, type ToolContext } from '@harnesswright/protocol'

/** Characters that one call gives at most, so that what it gives is not cut again. */
const MAX_CHARS = 16_000

/** The tool that gives the rest of a result that was cut. On offer once there is one. */
export const readResult: Tool = Object.freeze({
  name: 'read_result',
  description: `Reads a long result that was cut, or another artifact: up to ${MAX_CHARS} characters from an offset.`,
  parameters: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Id of the artifact, as the cut result names it.' },
      offset: { type: 'integer', minimum: 0, description: 'First character. Default 0.' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_CHARS, description: `Most characters. Default ${MAX_CHARS}.` },
    },
    required: ['id'],
    additionalProperties: false,
  },
  readOnly: true,
  idempotent: true,
  execute(
    { id, offset = 0, limit = MAX_CHARS }: { id: string; offset?: number; limit?: number },
    ctx: ToolContext,
  ): Json {
    const value = ctx.get(id)
    if (value === undefined) throw new Error(`there is no artifact "${id}"`)
    const text = asText(value)
    // A pair of surrogates is not cut in two.
    const end =
      offset +
      limit +
      (/^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(offset + limit - 1, offset + limit + 1)) ? 1 : 0)
    const more = end < text.length ? `\n[characters ${offset} to ${end} of ${text.length}; go on at offset ${end}]` : ''
    return text.slice(offset, end) + more
  },
})
