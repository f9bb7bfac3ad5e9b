import type { Json, JsonSchema } from '@harnesswright/core'
import { type ScannedJson, scanWhole } from './json-scan.js'
import { mendObject } from './mend.js'
import { partOf } from './read-call.js'
import { parseOrUndefined, type ReadContext, type Reading } from './reading.js'
import { Source } from './source.js'
import { walkText } from './walk-text.js'

/** What a text that should be one JSON value holds beside it, where a form wraps it. */
export type Unwrap = (
  value: ScannedJson,
) => { readonly answer: Json } | { readonly fault: string; readonly words: string } | undefined

/**
 * Reads a reply in which nothing may be called: its words without thinking, and where JSON was asked for, that JSON without
 * the words around it.
 */
export function readPlain(text: string, { schema }: ReadContext, unwrap: Unwrap): Reading {
  const { pieces, reasoning } = walkText(text, { takeAt: () => undefined, forget: () => {} })
  const rest = pieces.length === 1 ? text : pieces.join('').trim()
  const thinking = reasoning === undefined ? {} : { reasoning }
  const whole = scanWhole(rest)
  const found = whole === undefined ? findValue(rest, schema?.['required']) : { text: rest, value: whole }
  const wrapped = found === undefined ? undefined : unwrap(found.value)
  if (wrapped !== undefined) return { calls: [], words: rest, ...thinking, ...wrapped }
  const words = schema === undefined || found === undefined ? rest : found.text
  return { calls: [], words, ...thinking }
}

interface FoundValue {
  readonly text: string
  readonly value: ScannedJson
}

/** An answer in the shape that was asked for: JSON that came in a text is taken for what it is. */
export function shapedAnswer(answer: Json, schema: JsonSchema | undefined): Json {
  if (schema === undefined || schema['type'] === 'string' || typeof answer !== 'string') return answer
  const whole = parseOrUndefined(answer)
  if (whole !== undefined) return whole
  const found = findValue(answer, schema['required'])
  return found === undefined ? answer : (parseOrUndefined(found.text) ?? answer)
}

/** The JSON in a text: the one that has what is required, else the only one, else the first one that can be mended. */
function findValue(text: string, required: unknown): FoundValue | undefined {
  const values = listValues(text)
  const keys = Array.isArray(required) ? required.filter((key) => typeof key === 'string') : []
  const isRight = ({ value }: FoundValue): boolean => keys.every((key) => partOf(value.parts, [key]) !== undefined)
  const found = keys.length > 0 ? values.find(isRight) : undefined
  if (found !== undefined || values.length > 0) return found ?? (values.length === 1 ? values[0] : undefined)
  const start = text.search(/\{\s*["'\w]/)
  return start < 0 ? undefined : mendObject(text, start)
}

function listValues(text: string): readonly FoundValue[] {
  const values: FoundValue[] = []
  const source = new Source(text)
  walkText(text, {
    forget: () => {},
    takeAt(at) {
      const value = text[at] === '<' ? undefined : source.scan(at)
      if (value === undefined || !('end' in value) || value.parts.length === 0) return undefined
      values.push({ text: text.slice(at, value.end), value })
      return { end: value.end }
    },
  })
  return values
}
