import type { JsonSchema } from '@harnesswright/core'
import type { Dialect } from '@harnesswright/plugin-manifest'

/** The shape of a reply: what the model thinks of the task, what it expects, and then the manifest. */
export function replySchema({ schema }: Dialect): JsonSchema {
  return closed({
    analysis: { type: 'string' },
    predicted: closed({ reward: { type: 'number' }, tokens: { type: 'integer' }, steps: { type: 'integer' } }),
    manifest: schema,
  })
}

/** Levels of objects around the manifest in a reply. */
export const REPLY_LEVELS = 1

function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
