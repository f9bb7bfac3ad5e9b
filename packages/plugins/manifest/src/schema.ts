import type { CatalogModule, JsonSchema, Slot } from '@harnesswright/core'
import { templateVariables } from '@harnesswright/core/manifest'
import { ENVELOPE } from './envelope.js'
import type { JsonRecord } from './pointer.js'
import { mapSchemas } from './schema-walk.js'
import { SLOTS, type SlotField } from './slots.js'

/** JSON Schema 2020-12 of the manifests that can be written with modules: each slot a choice by `use`, options inlined. */
export function manifestSchema(modulesOf: (slot: Slot) => readonly CatalogModule[]): JsonSchema {
  const { expected, properties, ...rest } = ENVELOPE
  const choices = SLOTS.map(({ slot }): [string, JsonSchema] => [slot, choiceOf(slot, modulesOf(slot))])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Harnesswright manifest',
    ...rest,
    properties: { ...properties, ...Object.fromEntries(SLOTS.map((slot) => [slot.field, formsOf(slot)])) },
    $defs: Object.fromEntries(choices),
  }
}

function formsOf({ slot, forms }: SlotField): JsonSchema {
  const module = { $ref: `#/$defs/${slot}` }
  const schemas = { object: module, array: { type: 'array', items: module }, null: { type: 'null' } }
  return { oneOf: forms.map((form) => schemas[form]) }
}

function choiceOf(slot: Slot, modules: readonly CatalogModule[]): JsonSchema {
  if (modules.length === 0) return { description: `No module of slot ${slot} is installed.`, not: {} }
  return { oneOf: modules.map((module, index) => moduleSchema(module, `#/$defs/${slot}/oneOf/${index}`)) }
}

function moduleSchema({ use, description }: CatalogModule, place: string): JsonSchema {
  const { options, prompts, summary } = description
  const texts = Object.entries(prompts).map(([name, text]): [string, JsonSchema] => {
    const variables = templateVariables(text).map((variable) => `{{${variable}}}`)
    return [name, { type: 'string', description: `Variables: ${variables.join(', ') || 'none'}.` }]
  })
  return {
    title: use,
    description: summary,
    type: 'object',
    properties: {
      use: { const: use },
      with: mapSchemas(options, (schema) => moveRef(schema, `${place}/properties/with`)),
      prompts: { type: 'object', properties: Object.fromEntries(texts), additionalProperties: false },
    },
    required: options['required'] === undefined ? ['use'] : ['use', 'with'],
    additionalProperties: false,
  }
}

/** A local reference goes on pointing into the options, which now stand inside a larger schema. */
function moveRef(schema: JsonRecord, place: string): JsonRecord {
  const { $ref } = schema
  return typeof $ref === 'string' && $ref.startsWith('#') ? { ...schema, $ref: place + $ref.slice(1) } : schema
}
