import type { JsonSchema, Tool } from '@harnesswright/core'
import type { Document } from './bm25.js'
import { wordsOf } from './words.js'

/** What a word of a name counts, against one of a description or a parameter. */
const NAME_WEIGHT = 2

/** Characters of a description that are read, and levels of parameters: what is longer or deeper says little more. */
const MOST_CHARS = 4_000
const MOST_DEPTH = 4

/** Made once for each tool: tools are never changed. */
const made = new WeakMap<Tool, Document>()

/** A tool as a text to be found: its name, its description, and the names, descriptions and values of its parameters. */
export function documentOf(tool: Tool): Document {
  const known = made.get(tool)
  if (known !== undefined) return known
  const document = createDocument([
    [tool.name, NAME_WEIGHT],
    [tool.description, 1],
    [parameterText(tool.parameters, MOST_DEPTH), 1],
  ])
  made.set(tool, document)
  return document
}

/** A text to be found from parts, with what a word of each counts. */
export function createDocument(parts: readonly (readonly [text: string, weight: number])[]): Document {
  const counts = new Map<string, number>()
  for (const [text, weight] of parts)
    for (const word of wordsOf(text.slice(0, MOST_CHARS))) counts.set(word, (counts.get(word) ?? 0) + weight)
  return { counts, length: [...counts.values()].reduce((sum, count) => sum + count, 0) }
}

function parameterText(schema: JsonSchema, depth: number): string {
  if (depth === 0) return ''
  const { properties, items, enum: values } = schema
  const named = Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, property]) =>
    isSchema(property) ? [name, String(property['description'] ?? ''), parameterText(property, depth - 1)] : [name],
  )
  const listed = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
  return [...named, ...listed, isSchema(items) ? parameterText(items, depth - 1) : ''].join(' ')
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
