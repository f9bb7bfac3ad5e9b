import type { JsonSchema } from '@harnesswright/core'

/** Deepest place of a schema that is looked into. */
const MAX_DEPTH = 8

/**
 * A small value that a JSON Schema asks for: its example or default, else the least of its type with every property that is
 * required. The keywords that tools and modules use are known; of others the value may be refused, which does no harm.
 */
export function sampleValue(schema: JsonSchema, root: JsonSchema = schema, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null
  const { examples, enum: choices } = schema
  if ('const' in schema) return schema['const']
  if (Array.isArray(choices) && choices.length > 0) return choices[0]
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if ('default' in schema) return schema['default']
  const below = schema['$ref'] === undefined ? branchOf(schema) : followRef(schema['$ref'], root)
  if (below !== undefined) return sampleValue(below, root, depth + 1)
  return ofType(schema, root, depth)
}

function branchOf(schema: JsonSchema): JsonSchema | undefined {
  const branches = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']
  return Array.isArray(branches) ? (branches[0] as JsonSchema | undefined) : undefined
}

function followRef(ref: unknown, root: JsonSchema): JsonSchema {
  const path = typeof ref === 'string' && ref.startsWith('#/') ? ref.slice(2).split('/') : []
  const found = path.reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], root)
  return (found as JsonSchema | undefined) ?? {}
}

function ofType(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return sampleObject(schema, root, depth)
    case 'array': {
      const count = Math.min(20, Math.max(1, numberOf(schema['minItems'], 1)))
      return Array.from({ length: count }, () => sampleValue((schema['items'] ?? {}) as JsonSchema, root, depth + 1))
    }
    case 'string':
      return 'part 1'.padEnd(Math.min(2_000, numberOf(schema['minLength'], 0)), '.')
    case 'integer':
      return Math.ceil(leastOf(schema))
    case 'number':
      return leastOf(schema)
    case 'boolean':
      return true
    default:
      return null
  }
}

function sampleObject(schema: JsonSchema, root: JsonSchema, depth: number): object {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : []
  return Object.fromEntries(required.map((name) => [name, sampleValue(properties[name] ?? {}, root, depth + 1)]))
}

function leastOf(schema: JsonSchema): number {
  const { minimum, exclusiveMinimum, maximum } = schema
  if (typeof minimum === 'number') return minimum
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1
  return typeof maximum === 'number' ? Math.min(1, maximum) : 1
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
}
