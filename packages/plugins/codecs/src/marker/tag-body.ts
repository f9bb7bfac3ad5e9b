import type { Json, JsonSchema, Tool } from '@harnesswright/core'
import { isObjectText } from '../read/json-scan.js'
import { parseOrUndefined } from '../read/reading.js'
import { matchAt } from '../read/walk-text.js'

const CHILD = /\s*<([^\s<>/=]{1,64})>([\s\S]*?)<\/\1>/y

/** The arguments that stand between the tags of a tool; undefined when it is not clear what they are. */
export function readBody(body: string, { parameters }: Tool): string | undefined {
  const text = body.trim()
  if (text === '') return '{}'
  if (isObjectText(text) || /^\{\s*["']/.test(text)) return text // what is wrong with it is told to the call
  const children = readChildren(text, parameters)
  if (children !== undefined) return JSON.stringify(children)
  const only = onlyParameter(parameters)
  return only === undefined ? undefined : JSON.stringify({ [only]: typedValue(only, text, parameters) })
}

/** A value for each parameter in tags of its name; undefined when anything else stands there. */
function readChildren(text: string, parameters: JsonSchema): Readonly<Record<string, Json>> | undefined {
  const known = fieldsOf(parameters['properties'])
  const values: [string, Json][] = []
  let at = 0
  while (at < text.length) {
    const [, name = '', value = ''] = matchAt(CHILD, text, at) ?? []
    if (!Object.hasOwn(known, name)) return undefined
    values.push([name, typedValue(name, value, parameters)])
    at = CHILD.lastIndex
  }
  return Object.fromEntries(values)
}

/** The one parameter that a tool has, or needs. */
function onlyParameter(parameters: JsonSchema): string | undefined {
  const names = Object.keys(fieldsOf(parameters['properties']))
  const { required } = parameters
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const [only, ...others] = names.length === 1 ? names : needed
  return others.length === 0 ? only : undefined
}

/** A text where the tool wants a text; else what it is as JSON, and a text where it is none. */
export function typedValue(name: string, text: string, parameters: JsonSchema): Json {
  const plain = text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
  if (fieldsOf(fieldsOf(parameters['properties'])[name])['type'] === 'string') return plain
  return parseOrUndefined(plain.trim()) ?? plain
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
