import type { JsonSchema } from '@harnesswright/protocol'

/**
 * The smallest value that a JSON Schema asks for, with one item in each list and every property that is required: what a
 * scripted model says when it is asked for JSON. Knows the keywords that modules use; anything else is null.
 */
export function sampleOf(schema: JsonSchema): unknown {
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const choice = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choice)) return sampleOf(choice[0] as JsonSchema)
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return sampleObject(schema)
    case 'array': {
      const count = Math.max(1, Number(schema['minItems'] ?? 1))
      return Array.from({ length: count }, () => sampleOf((schema['items'] ?? {}) as JsonSchema))
    }
    case 'string':
      return 'look at page 1'.padEnd(Number(schema['minLength'] ?? 0), '.')
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1)
    case 'boolean':
      return true
    default:
      return null
  }
}

function sampleObject(schema: JsonSchema): object {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  const required = (schema['required'] ?? []) as readonly string[]
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
}
