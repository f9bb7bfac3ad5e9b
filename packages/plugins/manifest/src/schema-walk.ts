import { isRecord, type JsonRecord, joinPointer, parentPointer, valueAt } from './pointer.js'

/** Keywords whose values are data, and those whose values are schemas by name. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples'])
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])

/** A copy of a JSON Schema in which every schema is changed, outer ones first. `keyword` says what it stands in. */
export function mapSchemas(
  schema: JsonRecord,
  change: (schema: JsonRecord, keyword: string) => JsonRecord,
  keyword = '',
): JsonRecord {
  const walk = (value: unknown, inside: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, inside))
    return isRecord(value) ? mapSchemas(value, change, inside) : value
  }
  const entries = Object.entries(change(schema, keyword)).map(([name, value]): [string, unknown] => {
    if (DATA.has(name)) return [name, value]
    if (!NAMED.has(name) || !isRecord(value)) return [name, walk(value, name)]
    return [name, Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, name)]))]
  })
  return Object.fromEntries(entries)
}

/** The schema with what its local `$ref` stands for. */
export function followRef(schema: JsonRecord, root: JsonRecord): JsonRecord {
  const { $ref, ...own } = schema
  if (typeof $ref !== 'string') return schema
  const target = valueAt(root, decodeURIComponent($ref.slice(1)))
  return isRecord(target) ? { ...followRef(target, root), ...own } : own
}

/** The schema that a value is meant for, references followed: of a union the meant branch, if that is clear. */
export function meantSchema(schema: JsonRecord, value: unknown, root: JsonRecord): JsonRecord {
  const found = followRef(schema, root)
  const branches = branchesOf(found)
  const branch = branches[meantBranch(branches, value, root) ?? -1]
  return branch === undefined ? found : meantSchema(branch, value, root)
}

/** The schema of the place at a pointer into a value. */
export function schemaAt(pointer: string, value: unknown, root: JsonRecord): JsonRecord {
  const parent = parentPointer(pointer)
  if (pointer === '') return root
  return childSchema(schemaAt(parent, value, root), valueAt(value, parent), pointer.slice(parent.length), root)
}

/** The schema of a field or item of a value; `key` is its pointer from there. */
export function childSchema(schema: JsonRecord, value: unknown, key: string, root: JsonRecord): JsonRecord {
  const { properties, additionalProperties, prefixItems, items } = meantSchema(schema, value, root)
  const own = valueAt(Array.isArray(value) ? prefixItems : properties, key)
  const found = own ?? (Array.isArray(value) ? items : additionalProperties)
  return isRecord(found) ? found : {}
}

/** The branches of a union; of any other schema none. */
export function branchesOf({ anyOf, oneOf = anyOf }: JsonRecord): readonly JsonRecord[] {
  return Array.isArray(oneOf) ? oneOf : []
}

/** Index of the only branch that has the type of a value and its constants; undefined when none or several have. */
export function meantBranch(branches: readonly JsonRecord[], value: unknown, root: JsonRecord): number | undefined {
  const meant = [...branches.keys()].filter((index) => couldBe(followRef(branches[index] ?? {}, root), value))
  return meant.length === 1 ? meant[0] : undefined
}

function couldBe(schema: JsonRecord, value: unknown): boolean {
  const { type = [], properties, const: constant = value } = schema
  const types = [type].flat().map((name) => (name === 'integer' ? 'number' : name))
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  if (constant !== value || (types.length > 0 && !types.includes(own))) return false
  const fields = isRecord(properties) && isRecord(value) ? Object.entries(properties) : []
  return fields.every(
    ([name, field]) =>
      !isRecord(field) || field['const'] === undefined || field['const'] === valueAt(value, joinPointer('', name)),
  )
}
