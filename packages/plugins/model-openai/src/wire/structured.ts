import type { JsonSchema, ModelRequest } from '@harnesswright/core'
import type { StructuredDialect } from '../preset.js'
import { strictSchema } from './schema-dialect.js'

/** How the shape of a reply is asked for. */
export interface Structured {
  /** For `response_format`. */
  readonly format?: object
  /** The schema in words, where the endpoint takes no schema. */
  readonly told?: string
  /** The reply is in the strict dialect: nulls stand for properties that were left out. */
  readonly isStrict: boolean
}

/** The shape of a reply in the dialect of an endpoint. */
export function structuredFields(schema: JsonSchema, request: ModelRequest, dialect: StructuredDialect): Structured {
  const hasTools = request.tools !== undefined && request.tools.length > 0
  if ((hasTools && dialect.withTools === false) || dialect.form === 'text')
    return { told: toldSchema(schema, hasTools), isStrict: false }
  if (dialect.form === 'json_object')
    return { format: { type: 'json_object' }, told: toldSchema(schema, hasTools), isStrict: false }
  const strict = dialect.strict === true ? strictSchema(schema) : undefined
  return {
    format: {
      type: 'json_schema',
      json_schema: { name: schemaName(schema), schema: strict ?? schema, strict: strict !== undefined },
    },
    isStrict: strict !== undefined,
  }
}

function toldSchema(schema: JsonSchema, hasTools: boolean): string {
  const start = hasTools ? 'When you need no tool any more, reply' : 'Reply'
  return `${start} with one JSON object of this JSON Schema and nothing else:\n${JSON.stringify(schema)}`
}

function schemaName({ title }: JsonSchema): string {
  const name = typeof title === 'string' ? title.replace(/[^a-zA-Z0-9_-]+/gu, '_').slice(0, 64) : ''
  return name === '' ? 'answer' : name
}
