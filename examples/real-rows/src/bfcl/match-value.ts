import type { Json, JsonObject } from '@harnesswright/core'

/** Among the possible values of a parameter it says that the parameter may be left out. */
export const LEFT_OUT = ''

/** Whether a value is one of those that are right. */
function matchesAny(value: Json, possible: readonly Json[]): boolean {
  return possible.some((one) => matches(value, one))
}

/** Whether fields are those that are right, each one of its possible values; `required` ones are never left out. */
export function matchesFields(value: JsonObject, possible: JsonObject, required: readonly string[] = []): boolean {
  const hasOnlyKnown = Object.keys(value).every((name) => Object.hasOwn(possible, name))
  return (
    hasOnlyKnown &&
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(possible).every(([name, some]) => {
      const values = Array.isArray(some) ? (some as readonly Json[]) : [some as Json]
      return Object.hasOwn(value, name) ? matchesAny(value[name] as Json, values) : values.includes(LEFT_OUT)
    })
  )
}

function matches(value: Json, right: Json): boolean {
  if (typeof right === 'string') return typeof value === 'string' && plain(value) === plain(right)
  if (isList(right)) {
    return (
      isList(value) && value.length === right.length && right.every((one, index) => matches(value[index] as Json, one))
    )
  }
  if (right !== null && typeof right === 'object') {
    return isObject(value) && matchesFields(value, right as JsonObject)
  }
  return value === right
}

/** Texts are compared without case, spaces and some punctuation, and with one kind of quotes. */
function plain(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
