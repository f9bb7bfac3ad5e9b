import type { JsonSchema } from '@harnesswright/core'

/** How many references and choices are followed: circular ones end there. */
const MOST_HOPS = 12

/** The schema behind references, and the first choice of several that is not null. */
export function resolveSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    const { $ref: ref, ...beside } = current
    const choices = (current['anyOf'] ?? current['oneOf'] ?? current['allOf']) as readonly JsonSchema[] | undefined
    if (typeof ref === 'string') current = { ...pointTo(root, ref), ...beside }
    else if (Array.isArray(choices)) current = choices.find((one) => one['type'] !== 'null') ?? {}
    else return current
  }
  return {}
}

/** The type of a schema; of several the first that is not null; of none the one that its keywords tell. */
export function typeOf(schema: JsonSchema): string {
  const { type } = schema
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return String(type.find((one) => one !== 'null') ?? 'null')
  if ('properties' in schema) return 'object'
  return 'items' in schema ? 'array' : 'string'
}

function pointTo(root: JsonSchema, ref: string): JsonSchema {
  let at: unknown = root
  for (const key of ref.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined
  }
  return typeof at === 'object' && at !== null ? (at as JsonSchema) : {}
}
