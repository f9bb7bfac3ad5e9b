import { type Fields, fieldsOf, itemsOf } from './schema-view.js'

/** One schema that asks for what both ask for, as far as a grammar can tell; a value is validated against both anyway. */
export function mergeSchemas(first: Fields, second: Fields): Fields {
  const required = [...(itemsOf(first['required']) ?? []), ...(itemsOf(second['required']) ?? [])]
  const properties = mergeProperties(fieldsOf(first['properties']), fieldsOf(second['properties']))
  const values = commonValues(itemsOf(first['enum']), itemsOf(second['enum']))
  const all = [...(itemsOf(first['allOf']) ?? []), ...(itemsOf(second['allOf']) ?? [])]
  return {
    ...first,
    ...second,
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(properties === undefined ? {} : { properties }),
    ...(values === undefined ? {} : { enum: values }),
    ...(all.length === 0 ? {} : { allOf: all }),
  }
}

function mergeProperties(first: Fields | undefined, second: Fields | undefined): Fields | undefined {
  if (first === undefined || second === undefined) return first ?? second
  const both = Object.entries(second).map(([name, schema]) => [
    name,
    Object.hasOwn(first, name) ? { allOf: [first[name], schema] } : schema,
  ])
  return Object.fromEntries([...Object.entries(first), ...both]) as Fields
}

function commonValues(first: readonly unknown[] | undefined, second: readonly unknown[] | undefined) {
  if (first === undefined || second === undefined) return first ?? second
  const texts = new Set(second.map((value) => JSON.stringify(value)))
  return first.filter((value) => texts.has(JSON.stringify(value)))
}
