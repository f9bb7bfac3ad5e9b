import type { JsonSchema } from '@harnesswright/core'
import type { Offer } from './offer.js'

/** Schemas for models: `openai` for strict structured outputs, `gbnf` for grammars. */
export type ModelDialect = 'openai' | 'gbnf'

/** The schema of an offer. Every field is needed, and null where it may be left out: so each dialect has one form of it. */
export function writeOffer(offer: Offer, dialect: ModelDialect): JsonSchema {
  switch (offer.kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'choice':
      return writeChoice(offer.values)
    case 'text':
      return { type: 'string', ...textBounds(offer.least, offer.most, dialect) }
    case 'list': {
      const { item, least, most } = offer
      return {
        type: 'array',
        items: writeOffer(item, dialect),
        ...(least > 0 ? { minItems: least } : {}),
        maxItems: most,
      }
    }
    case 'object':
      return writeObject(
        offer.fields.map((field) => {
          const schema = writeOffer(field.offer, dialect)
          return [field.name, field.isNeeded ? schema : orNull(schema, dialect)]
        }),
      )
    case 'union':
      return choose(
        offer.branches.map((branch) => writeOffer(branch, dialect)),
        dialect,
      )
  }
}

/** A closed object of which every field is needed. */
export function writeObject(fields: readonly (readonly [name: string, schema: JsonSchema])[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  }
}

/** A value, or null for none. */
export function orNull(schema: JsonSchema, dialect: ModelDialect): JsonSchema {
  return choose([schema, { type: 'null' }], dialect)
}

/** One of some schemas. Unions in unions are one. */
export function choose(schemas: readonly JsonSchema[], dialect: ModelDialect): JsonSchema {
  const keyword = dialect === 'openai' ? 'anyOf' : 'oneOf'
  const flat = schemas.flatMap((schema) => (schema[keyword] as readonly JsonSchema[] | undefined) ?? [schema])
  return flat.length === 1 ? (flat[0] as JsonSchema) : { [keyword]: flat }
}

function writeChoice(values: readonly (string | number | boolean)[]): JsonSchema {
  const types = new Set(values.map((value) => typeof value))
  const isWhole = values.every((value) => Number.isInteger(value))
  const type = isWhole ? 'integer' : [...types][0]
  return types.size === 1 ? { type, enum: values } : { enum: values }
}

/** Strict structured outputs know no lengths: a text that must not be short is told by a pattern, a long one is cut later. */
function textBounds(least: number, most: number, dialect: ModelDialect): JsonSchema {
  if (dialect === 'gbnf') return { ...(least > 0 ? { minLength: least } : {}), maxLength: most }
  return least > 0 ? { pattern: `^[\\s\\S]{${least},${most}}$` } : {}
}
