import type { JsonSchema } from '@harnesswright/core'

/** The shape in which it is asked whether a task is atomic. Its title names the form for models that tell replies apart by it. */
export const ATOMISE_SCHEMA: JsonSchema = {
  title: 'atomise',
  type: 'object',
  properties: { is_atomic: { type: 'boolean', description: 'True if one agent can do it in one go.' } },
  required: ['is_atomic'],
  additionalProperties: false,
}

/** Whether a reply says that the task is atomic; a reply that says nothing that can be read means yes. */
export function readAtomic(text: string): boolean {
  const said = /"?is_atomic"?\s*:\s*"?\s*(\w+)/i.exec(text)?.[1] ?? text
  return !/^\W*(?:false|no|0)\b/i.test(said)
}
