import type { JsonSchema } from '@harnesswright/core'
import type { Dialect, ModelDialect } from '@harnesswright/plugin-manifest'

/**
 * The shape of a reply: what the model thinks of the task, what it expects, and then the manifest. A grammar also holds small
 * models to an end: their texts are short, and their numbers chosen.
 */
export function replySchema({ schema }: Dialect, dialect: ModelDialect): JsonSchema {
  return closed({ ...(dialect === 'gbnf' ? SHORT : FREE), manifest: schema })
}

const FREE = {
  analysis: { type: 'string' },
  predicted: closed({ reward: { type: 'number' }, tokens: { type: 'integer' }, steps: { type: 'integer' } }),
}

const SHORT = {
  analysis: { type: 'string', maxLength: 80 },
  predicted: closed({
    reward: { type: 'number', enum: [0, 0.25, 0.5, 0.75, 1] },
    tokens: { type: 'integer', enum: [2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000] },
    steps: { type: 'integer', enum: [2, 4, 8, 16, 32, 64] },
  }),
}

/** Levels of objects around the manifest in a reply. */
export const REPLY_LEVELS = 1

function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
