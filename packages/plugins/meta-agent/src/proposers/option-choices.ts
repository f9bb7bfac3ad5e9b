import type { CatalogModule, Json } from '@harnesswright/core'

/** An option of which a few values are worth trying. */
export interface OptionChoice {
  readonly name: string
  /** Its values, two at least: the buckets of a number, the items of an enumeration, or both of a switch. */
  readonly values: readonly Json[]
  /** What holds where the manifest says nothing, if anything does. */
  readonly default?: Json
}

/** The options of a module that are chosen from a few values. Options of the host, texts, lists and objects are none of them. */
export function optionChoices({ description: { options, host = [] } }: CatalogModule): readonly OptionChoice[] {
  const { properties } = options
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties).flatMap(([name, schema]) => {
    const values = valuesOf(schema)
    if (values.length < 2 || host.includes(name)) return []
    const { default: first } = schema as { readonly default?: Json } // one with values is an object
    return [{ name, values, ...(first === undefined ? {} : { default: first }) }]
  })
}

function valuesOf(schema: Json): readonly Json[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return []
  const { type, buckets, enum: values } = schema as Readonly<Record<string, Json>>
  if (Array.isArray(values)) return values.filter((value) => value !== null)
  if (type === 'boolean') return [false, true]
  if (type === 'number' || type === 'integer') return Array.isArray(buckets) ? buckets : []
  return []
}
