import type { Json, JsonSchema } from '@harnesswright/core'

/** The shape in which one answer is asked for, where the task has none of its own. */
export const AGGREGATE_SCHEMA: JsonSchema = {
  title: 'aggregate',
  type: 'object',
  properties: { answer: { type: 'string', description: 'The answer to the task, in the form that it asks for.' } },
  required: ['answer'],
  additionalProperties: false,
}

/**
 * The answer in a reply: the value of the task's own shape, else what stands under `answer`, else the whole text. Undefined when it
 * says nothing.
 *
 * @param isOwnShape - The task says which shape the answer has.
 */
export function readAggregate(text: string, isOwnShape: boolean): Json | undefined {
  const value = parse(text)
  const answer = isOwnShape ? value : (value as { readonly answer?: Json } | null | undefined)?.answer
  const said = answer ?? text.trim()
  return said === '' ? undefined : said
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
