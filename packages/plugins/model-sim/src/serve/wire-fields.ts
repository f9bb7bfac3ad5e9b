import { badRequest } from './refusal.js'

/** An object in a request, and where it stands. */
export interface Place {
  /** As `messages[0]`; empty for the request itself. */
  readonly path: string
  readonly fields: Readonly<Record<string, unknown>>
}

interface Kinds {
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly object: Readonly<Record<string, unknown>>
  readonly array: readonly unknown[]
}

const WORDS: { readonly [Kind in keyof Kinds]: string } = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

/** A value as an object in a request. @throws Refusal when it is none. */
export function placeOf(value: unknown, path: string): Place {
  if (kindOf(value) === 'object') return { path, fields: value as Kinds['object'] }
  throw badRequest(`${path === '' ? 'The body' : path} must be an object.`, path)
}

/** A field that may be missing or null. @throws Refusal when it is of another kind. */
export function optional<Kind extends keyof Kinds>(place: Place, name: string, kind: Kind): Kinds[Kind] | undefined {
  const value = place.fields[name] ?? undefined
  if (value === undefined || kindOf(value) === kind) return value as Kinds[Kind] | undefined
  throw badRequest(`${pathOf(place, name)} must be ${WORDS[kind]}.`, pathOf(place, name))
}

/** A field that must be there. @throws Refusal when it is missing or of another kind. */
export function required<Kind extends keyof Kinds>(place: Place, name: string, kind: Kind): Kinds[Kind] {
  const value = optional(place, name, kind)
  if (value !== undefined) return value
  throw badRequest(`${pathOf(place, name)} is missing: it must be ${WORDS[kind]}.`, pathOf(place, name))
}

/** The objects of a list that may be missing. @throws Refusal when one is none. */
export function objectsOf(place: Place, name: string): readonly Place[] | undefined {
  return optional(place, name, 'array')?.map((value, index) => placeOf(value, `${pathOf(place, name)}[${index}]`))
}

/** An object in a field that must be there. @throws Refusal when there is none. */
export function objectOf(place: Place, name: string): Place {
  return { path: pathOf(place, name), fields: required(place, name, 'object') }
}

/** A whole number from `least` up, in a field that may be missing. @throws Refusal when it is none. */
export function wholeNumber(place: Place, name: string, least: number): number | undefined {
  const value = optional(place, name, 'number')
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return value
  throw badRequest(`${pathOf(place, name)} must be a whole number from ${least} up.`, pathOf(place, name))
}

/** Where a field stands. */
export function pathOf({ path }: Place, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
