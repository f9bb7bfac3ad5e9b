import type { Json } from '@harnesswright/core'
import { isMisspelling } from '@harnesswright/core/manifest'
import { isFields } from '../../pointer.js'

type Schema = Readonly<Record<string, unknown>>

/** The schema of a part of a value: below properties, items and the first branch that has it. */
export function schemaBelow(schema: Schema, tokens: readonly string[]): Schema | undefined {
  const [token, ...rest] = tokens
  if (token === undefined) return schema
  for (const one of branchesOf(schema)) {
    const { properties, items } = one
    const next =
      isFields(properties) && Object.hasOwn(properties, token)
        ? properties[token]
        : /^\d+$/.test(token)
          ? items
          : undefined
    if (isFields(next)) return schemaBelow(next, rest)
  }
  return undefined
}

/** The branches of a union, or the schema itself. */
function branchesOf(schema: Schema): readonly Schema[] {
  const branches = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(branches) ? branches.filter(isFields) : [schema]
}

/** The nearest value that a schema takes; undefined where it is not clear what was meant. */
export function mendValue(value: unknown, schema: Schema): Json | undefined {
  for (const one of branchesOf(schema)) {
    const mended = mendOne(value, one)
    if (mended !== undefined) return mended
  }
  return undefined
}

function mendOne(value: unknown, schema: Schema): Json | undefined {
  const { enum: choices } = schema
  if ('const' in schema) return undefined
  if (Array.isArray(choices)) return mendChoice(value, choices)
  switch ([schema['type']].flat()[0]) {
    case 'integer':
    case 'number':
      return mendNumber(value, schema)
    case 'boolean':
      return mendFlag(value)
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
    case 'array': {
      const { items } = schema
      const item = isFields(items) && typeof value === [items['type']].flat()[0] ? (value as Json) : undefined
      return item === undefined ? undefined : [item]
    }
    default:
      return undefined
  }
}

function mendChoice(value: unknown, choices: readonly unknown[]): Json | undefined {
  const text = String(value).trim().toLowerCase()
  const same = choices.find((choice) => String(choice).toLowerCase() === text)
  const near = choices.find((choice) => typeof choice === 'string' && isMisspelling(text, choice.toLowerCase()))
  return (same ?? near) as Json | undefined // of a JSON Schema
}

/** A number that was written as text, or that is outside its bounds, is the nearest one inside them. */
function mendNumber(value: unknown, schema: Schema): number | undefined {
  const given =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  if (!Number.isFinite(given)) return undefined
  const isWhole = schema['type'] === 'integer'
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : undefined
  let number = isWhole ? Math.round(given) : given
  if (typeof minimum === 'number') number = Math.max(number, minimum)
  if (typeof maximum === 'number') number = Math.min(number, maximum)
  if (typeof exclusiveMinimum === 'number' && number <= exclusiveMinimum)
    number = isWhole ? exclusiveMinimum + 1 : Number.NaN
  if (typeof exclusiveMaximum === 'number' && number >= exclusiveMaximum)
    number = isWhole ? exclusiveMaximum - 1 : Number.NaN
  if (step !== undefined) number = Math.round(number / step) * step
  return Number.isFinite(number) ? number : undefined
}

function mendFlag(value: unknown): boolean | undefined {
  const text = String(value).trim().toLowerCase()
  if (['true', 'yes', 'on', '1'].includes(text)) return true
  return ['false', 'no', 'off', '0'].includes(text) ? false : undefined
}
