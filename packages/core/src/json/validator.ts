import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import type { JsonSchema } from '../protocol/index.js'

/** One thing that is wrong with a value. */
export type SchemaFault = ErrorObject

/** Checks a value; gives what is wrong, or an empty list. */
export type Validator = (value: unknown) => readonly SchemaFault[]

const compiled = new LRUCache<JsonSchema, Validator>({ max: 512 })
let loading: Promise<Compiler> | undefined

interface Compiler {
  compile(schema: object): ValidateFunction
  removeSchema(schema: object): unknown
}

/** The compiled validator of a JSON Schema. ajv is imported at the first use, and each schema object is compiled once. */
export async function compileSchema(schema: JsonSchema): Promise<Validator> {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  loading ??= loadAjv()
  const ajv = await loading
  // An asynchronous validator would give a promise, which looks like a yes.
  const sync = { ...schema, $async: false }
  const validate = ajv.compile(sync)
  ajv.removeSchema(sync) // else ajv keeps every schema for ever
  const validator: Validator = (value) => (validate(value) ? [] : (validate.errors ?? []))
  compiled.set(schema, validator)
  return validator
}

async function loadAjv(): Promise<Compiler> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  // Formats and schemas of other tools are taken as they are; "meta" would compile the meta-schema first (over 100 ms).
  return new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
  })
}
