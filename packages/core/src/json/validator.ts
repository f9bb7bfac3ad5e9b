import type { JsonSchema } from '@harnesswright/protocol'
import type { ErrorObject } from 'ajv/dist/2020.js'

/** One thing that is wrong with a value. */
export type SchemaFault = ErrorObject

/** Checks a value; gives what is wrong, or an empty list. */
export type Validator = (value: unknown) => readonly SchemaFault[]

const compiled = new WeakMap<JsonSchema, Validator>()

// Formats and schemas of other tools are taken as they are; "meta" would compile the meta-schema first (over 100 ms).
const OPTIONS = {
  strict: false,
  allErrors: true,
  ownProperties: true, // every object inherits a field "constructor"
  validateFormats: false,
  validateSchema: false,
  meta: false,
} as const

/** The compiled validator of a JSON Schema. ajv is imported at the first use, and each schema object is compiled once. */
export function compileSchema(schema: JsonSchema): Validator | Promise<Validator> {
  return compiled.get(schema) ?? compile(schema)
}

async function compile(schema: JsonSchema): Promise<Validator> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  // One for each schema, as an ajv keeps all that it has compiled for ever; and none asynchronous: a promise looks like a yes.
  const validate = new Ajv2020(OPTIONS).compile({ ...schema, $async: false })
  const validator: Validator = (value) => (validate(value) ? [] : (validate.errors ?? []))
  compiled.set(schema, validator)
  return validator
}
