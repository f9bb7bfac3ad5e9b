import type { JsonSchema } from '@harnesswright/core'
import fc from 'fast-check'

/** Any value of a schema that is written in a dialect for models. */
export function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: values, anyOf, oneOf = anyOf, pattern, minLength, maxLength, items, minItems, maxItems } = schema
  if (Array.isArray(oneOf)) return fc.oneof(...oneOf.map((branch) => valuesOf(branch as JsonSchema)))
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'string') {
    if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'))
    const bounds = {
      minLength: (minLength as number | undefined) ?? 0,
      ...(maxLength === undefined ? {} : { maxLength: maxLength as number }),
    }
    return fc.string({ unit: 'binary', ...bounds })
  }
  if (type === 'array') {
    const bounds = {
      minLength: (minItems as number | undefined) ?? 0,
      maxLength: (maxItems as number | undefined) ?? 12,
    }
    return fc.array(valuesOf(items as JsonSchema), bounds)
  }
  if (type !== 'object') throw new Error(`no value is known of ${JSON.stringify(schema)}`)
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>>
  return fc.record(Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valuesOf(field)])))
}
