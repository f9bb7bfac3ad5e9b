import type { Json, JsonObject } from '@harnesswright/core'
import { isRecord, type JsonRecord, joinPointer } from './pointer.js'
import { childSchema, followRef, meantSchema } from './schema-walk.js'

/**
 * A value with the defaults of its JSON Schema filled in, at every level that is there. A default is taken as it is
 * written: a schema library fills nothing into it either.
 */
export function fillDefaults(value: Json, schema: JsonRecord, root: JsonRecord): Json {
  const fill = (item: Json, key: string | number): Json =>
    fillDefaults(item, childSchema(schema, value, joinPointer('', key), root), root)
  if (Array.isArray(value)) return value.map(fill)
  if (!isRecord(value)) return value
  const defaults = Object.entries(meantSchema(schema, value, root)['properties'] ?? {}).flatMap(([name, field]) => {
    const { default: first } = followRef(field, root)
    return first === undefined ? [] : [[name, first]]
  })
  const given = Object.entries(value as JsonObject).map(([name, item]) => [name, fill(item, name)])
  return Object.fromEntries([...defaults, ...given])
}
