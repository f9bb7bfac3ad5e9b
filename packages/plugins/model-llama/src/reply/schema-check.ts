import type { JsonSchema } from '@harnesswright/core'

/** What is wrong with the text of a value, in a few words; undefined where it fits. */
export type SchemaCheck = (schema: JsonSchema, text: string) => Promise<string | undefined>

type Check = (value: unknown) => string | undefined

/** Checks texts against schemas; each schema is compiled once. */
export function createSchemaCheck(): SchemaCheck {
  const compiled = new WeakMap<JsonSchema, Check>()
  return async (schema, text) => {
    const check = compiled.get(schema) ?? (await compileCheck(schema))
    compiled.set(schema, check)
    try {
      return check(JSON.parse(text))
    } catch {
      return 'it is no JSON'
    }
  }
}

async function compileCheck(schema: JsonSchema): Promise<Check> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    validateFormats: false,
    validateSchema: false,
    meta: false,
  })
  try {
    const validate = ajv.compile({ ...schema, $async: false })
    return (value) => (validate(value) ? undefined : faultOf(validate.errors?.[0]))
  } catch {
    return () => undefined // what cannot be compiled cannot be checked; a grammar was made of it all the same
  }
}

function faultOf(error: { readonly instancePath: string; readonly message?: string } | undefined): string {
  const at = error?.instancePath ?? ''
  return `${at === '' ? 'the value' : at} ${error?.message ?? 'is wrong'}`
}
