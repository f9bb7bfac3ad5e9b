import type { ErrorObject } from 'ajv/dist/2020.js'
import type { ErrorCode } from '../errors/table.js'
import { compileSchema } from '../json/validator.js'
import { meantErrors } from './meant-errors.js'
import { isMisspelling, nearestNames } from './nearest.js'
import { isRecord, type JsonRecord, joinPointer, valueAt } from './pointer.js'
import { describeValue, makeProblem, type Problem } from './problem.js'
import { branchesOf, childSchema, followRef, meantSchema, schemaAt } from './schema-walk.js'

/** Where a value stands that is checked, and what its mistakes are called. */
export interface SchemaPlace {
  readonly pointer: string
  readonly codes: { readonly missing: ErrorCode; readonly unknown: ErrorCode; readonly wrong: ErrorCode }
}

/**
 * What is wrong with a value by a JSON Schema, one problem per mistake. ajv is imported, and the schema compiled, at the
 * first use.
 */
export async function checkSchema(
  value: unknown,
  root: JsonRecord,
  { pointer, codes }: SchemaPlace,
): Promise<Problem[]> {
  const validate = await compileSchema(root)
  const errors = meantErrors(validate(value), value, root)
  const unknown = new Map(errors.map(({ instancePath }): [string, string[]] => [instancePath, []]))
  for (const error of errors) if (isUnknownName(error)) unknown.get(error.instancePath)?.push(nameOf(error))
  const told = new Set<string>()
  return errors.flatMap((error) => {
    const [at, name] = [error.instancePath, nameOf(error)]
    const fault: Fault = { pointer: pointer + at, value: valueAt(value, at), schema: schemaAt(at, value, root), root }
    if (isUnknownName(error)) return [unknownField(name, fault, codes.unknown)]
    // A name that is missing because it is mistyped is one mistake; so is a value that fails several keywords.
    if (error.keyword === 'required') {
      return unknown.get(at)?.some((other) => isMisspelling(other, name))
        ? []
        : [missingField(name, fault, codes.missing)]
    }
    return told.has(at) ? [] : told.add(at) && [wrongValue(fault, codes.wrong)]
  })
}

interface Fault {
  readonly pointer: string
  readonly value: unknown
  /** The schema of the value, and the one that it is part of. */
  readonly schema: JsonRecord
  readonly root: JsonRecord
}

function isUnknownName({ keyword }: ErrorObject): boolean {
  return keyword === 'additionalProperties' || keyword === 'propertyNames'
}

/** The name that is missing or unknown. */
function nameOf({ params }: ErrorObject): string {
  const { missingProperty, additionalProperty, propertyName } = params as Readonly<Record<string, string>>
  return missingProperty ?? additionalProperty ?? propertyName ?? ''
}

function wrongValue({ pointer, value, schema, root }: Fault, code: ErrorCode): Problem {
  const choices = [followRef(schema, root)['enum'] ?? []].flat().filter((choice) => typeof choice === 'string')
  const nearest = typeof value === 'string' ? nearestNames(value, choices) : []
  return makeProblem(code, pointer, { found: describeValue(value), expected: expectedOf(schema, root), nearest })
}

function missingField(name: string, { pointer, value, schema, root }: Fault, code: ErrorCode): Problem {
  const field = followRef(childSchema(schema, value, joinPointer('', name), root), root)
  const expected = `"${name}": ${expectedOf(field, root)}`
  const fix = Array.isArray(field['examples'])
    ? `Add "${name}": ${JSON.stringify(field['examples'][0])}`
    : `Add ${expected}.`
  return makeProblem(code, pointer, { found: `no "${name}"`, expected, fix })
}

function unknownField(name: string, { pointer, value, schema, root }: Fault, code: ErrorCode): Problem {
  const known = Object.keys(meantSchema(schema, value, root)['properties'] ?? {})
  const nearest = nearestNames(
    name,
    known.filter((field) => !isRecord(value) || !Object.hasOwn(value, field)),
  )
  const expected = known.length === 0 ? 'no fields' : `one of ${known.join(', ')}`
  const fix = nearest[0] === undefined ? 'Remove it.' : `Write "${nearest[0]}", or remove it.`
  return makeProblem(code, joinPointer(pointer, name), { found: describeValue(name), expected, nearest, fix })
}

const BOUNDS = [
  ...['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['format', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
]

/** What a JSON Schema takes, in words. The bounds that every safe integer has say nothing. */
function expectedOf(part: JsonRecord, root: JsonRecord): string {
  const schema = followRef(part, root)
  const branches = branchesOf(schema)
  if (typeof schema['expected'] === 'string') return schema['expected']
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((choice) => JSON.stringify(choice)).join(' or ')
  if (branches.length > 0) return [...new Set(branches.map((branch) => expectedOf(branch, root)))].join(' or ')
  const bounds = BOUNDS.filter(
    (name) => schema[name] !== undefined && Math.abs(Number(schema[name])) !== Number.MAX_SAFE_INTEGER,
  )
  const types = [schema['type'] ?? 'another value'].flat().join(' or ')
  return [types, ...bounds.map((name) => `${name} ${schema[name]}`)].join(', ')
}
