import type { JsonSchema } from '@harnesswright/core'
import { PROTOCOL } from '@harnesswright/core/manifest'
import { SLOTS } from './slots.js'

const FORM_WORDS = { object: 'a module as { "use": "<package>#<export>" }', array: 'a list of modules', null: 'null' }

const TEXT: JsonSchema = { type: 'string' }
const COUNT: JsonSchema = { type: 'integer', minimum: 1 }
const COUNT_OR_NONE: JsonSchema = { type: 'integer', minimum: 0 }
const AMOUNT: JsonSchema = { type: 'number', exclusiveMinimum: 0 }

/** One module in a slot; what is in `with` and `prompts` is the module's own. */
const USE: JsonSchema = {
  expected: FORM_WORDS.object,
  type: 'object',
  properties: { use: TEXT, with: { type: 'object' }, prompts: { type: 'object', additionalProperties: TEXT } },
  required: ['use'],
  additionalProperties: false,
}

const LIMITS: JsonSchema = {
  type: 'object',
  properties: {
    steps: COUNT,
    tokens: COUNT,
    usd: AMOUNT,
    ms: AMOUNT,
    toolCalls: COUNT_OR_NONE,
    perTool: { type: 'object', additionalProperties: COUNT_OR_NONE },
    depth: COUNT_OR_NONE,
    concurrency: COUNT,
    repeats: COUNT,
    reserve: { type: 'number', minimum: 0, maximum: 1 },
  },
  additionalProperties: false,
}

// Keywords for objects and for lists stand side by side: each looks at values of its own type only.
const slots = SLOTS.map(({ field, forms }): [string, JsonSchema] => {
  const expected = forms.map((form) => FORM_WORDS[form]).join(' or ')
  const example = field === 'action' ? { use: '@harnesswright/seed-react#action' } : null
  return [field, { ...USE, expected, type: forms, items: USE, examples: [example] }]
})

/**
 * The manifest but for what only its modules know. `expected` says a schema in words, and `examples` hold what a missing
 * field is told to begin with.
 */
export const ENVELOPE: JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> } = {
  expected: 'a manifest as a JSON object',
  type: 'object',
  properties: {
    $schema: TEXT,
    protocol: { const: PROTOCOL, examples: [PROTOCOL] },
    name: { type: 'string', minLength: 1, examples: ['my-harness'] },
    description: TEXT,
    // The length bounds the work of reading a range.
    packages: { type: 'object', additionalProperties: { type: 'string', maxLength: 200 }, examples: [{}] },
    ...Object.fromEntries(slots),
    codec: { enum: ['auto', 'native', 'json', 'marker'] },
    limits: LIMITS,
    metadata: { type: 'object' },
  },
  required: ['protocol', 'name', 'packages', 'memory', 'planning', 'capability', 'action'],
  additionalProperties: false,
}
