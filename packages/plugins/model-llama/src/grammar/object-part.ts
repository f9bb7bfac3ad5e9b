import type { Making } from './from-schema.js'
import { choice, optional, type Part, type RuleBook, row, text } from './grammar.js'
import { anyObject, COMMA, fieldsOf as freeFields } from './json-rules.js'
import { badSchema, below, type Fields, fieldsOf, itemsOf, type Place } from './schema-view.js'

interface Field {
  readonly part: Part
  readonly isRequired: boolean
}

/** An object: its properties in the order of the schema, each at most once, none besides. Undefined where none fits. */
export function objectPart(fields: Fields, here: Place, making: Making): Part | undefined {
  const required = new Set(itemsOf(fields['required']) ?? [])
  const declared = fieldsOf(fields['properties']) ?? {}
  const others = [...required].filter((name) => !Object.hasOwn(declared, String(name)))
  const list: Field[] = []
  for (const [name, schema] of [...Object.entries(declared), ...others.map((name) => [String(name), true] as const)]) {
    const value = making.partOf(schema, below(here, 'properties', name))
    const isRequired = required.has(name)
    if (value !== undefined) list.push({ part: row(text(`${JSON.stringify(name)}: `), value), isRequired })
    else if (isRequired) return undefined
  }
  return list.length === 0 ? openObject(fields, here, making) : row(text('{'), fieldList(list, making.book), text('}'))
}

/** An object without properties of its own: a map, where it may have others. */
function openObject(fields: Fields, here: Place, { book, partOf }: Making): Part {
  const rest = fields['additionalProperties']
  if (rest === undefined || rest === true) return fields['properties'] === undefined ? anyObject(book) : text('{}')
  if (rest === false) return text('{}')
  if (fieldsOf(rest) === undefined) throw badSchema(here, 'has "additionalProperties" that are no schema')
  const value = partOf(rest, below(here, 'additionalProperties'))
  return value === undefined ? text('{}') : freeFields(book, book.add('value', value))
}

/** Fields with commas between those that are there. Rules are shared from the end, so that the grammar grows by the number of fields. */
function fieldList(fields: readonly Field[], book: RuleBook): Part {
  let rest: Part = text('')
  let start: Part = text('')
  for (const [index, { part, isRequired }] of [...fields.entries()].reverse()) {
    const named = book.add('field', part)
    const isLast = index === fields.length - 1
    const more = isLast ? [] : [rest]
    const first = row(named, ...more)
    start = isRequired ? first : choice(first, start)
    const following = row(COMMA, named)
    rest = book.add('rest', row(isRequired ? following : optional(following), ...more))
  }
  return start
}
