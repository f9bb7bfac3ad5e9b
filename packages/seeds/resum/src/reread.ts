import type { Json, Tool, ToolContext } from '@harnesswright/core'

/** Characters that one call gives at most, so that a whole stretch of steps is not back in view at once. */
const MOST_CHARS = 8_000

/** A stretch of steps that was summarised, kept whole as an artifact. */
export interface Stretch {
  readonly first: number
  readonly last: number
  /** Id of the artifact. */
  readonly id: string
}

/**
 * The tool with which the model reads again what a summary stands for.
 *
 * @param stretches - Those that there are when the tool is called.
 */
export function createReread(stretches: () => readonly Stretch[]): Tool {
  return {
    name: 'reread',
    description: `Gives the steps that a summary stands for as they were, up to ${MOST_CHARS} characters from an offset.`,
    parameters: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Id of the steps, as it stands below the summary.' },
        offset: { type: 'integer', minimum: 0, description: 'First character. Default 0.' },
      },
      required: ['id'],
      additionalProperties: false,
    },
    readOnly: true,
    idempotent: true,
    execute({ id, offset = 0 }: { readonly id: string; readonly offset?: number }, ctx: ToolContext): Json {
      const known = stretches()
      if (!known.some((stretch) => stretch.id === id)) throw new Error(unknownId(id, known))
      return sliceOf(String(ctx.get(id) ?? ''), offset)
    },
  }
}

function unknownId(id: string, known: readonly Stretch[]): string {
  if (known.length === 0) return `there are no steps "${id}": nothing was summarised yet, and every step is in view`
  return `there are no steps "${id}"; those that were summarised are ${nameStretches(known)}`
}

/** `a1 (steps 1 to 6), a2 (step 7)`. */
export function nameStretches(stretches: readonly Stretch[]): string {
  return stretches
    .map(({ first, last, id }) => `${id} (${first === last ? `step ${first}` : `steps ${first} to ${last}`})`)
    .join(', ')
}

function sliceOf(text: string, offset: number): string {
  if (offset >= text.length && offset > 0) throw new Error(`there are ${text.length} characters, and none at ${offset}`)
  const cutsPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(offset + MOST_CHARS - 1, offset + MOST_CHARS + 1))
  const end = Math.min(text.length, offset + MOST_CHARS + (cutsPair ? 1 : 0))
  const more = end < text.length ? `\n[characters ${offset} to ${end} of ${text.length}; go on at offset ${end}]` : ''
  return text.slice(offset, end) + more
}
